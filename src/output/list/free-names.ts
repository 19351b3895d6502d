/** Names for what riskcli adds beside names that are there already: none is given twice. */

/** `added`, each with `riskcli.` in front where a name before it is the same. */
export function freeNames(own: readonly string[], added: readonly string[]): readonly string[] {
  const taken = new Set(own);
  return added.map((name) => {
    let free = name;
    while (taken.has(free)) free = `riskcli.${free}`;
    taken.add(free);
    return free;
  });
}
