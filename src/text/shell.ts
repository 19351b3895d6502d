/** Words as a POSIX shell reads them, to be pasted. */

/** A word that no shell changes is left as it is. */
export function shellWord(word: string): string {
  return /^[\w@%+:,./-][\w@%+=:,./-]*$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

export const shellWords = (words: readonly string[]) => words.map(shellWord).join(' ');
