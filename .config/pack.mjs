// Puts the chunks of a split build into few files. Splitting makes a chunk for every set of modules that the same entries
// share; loading a file costs node 0.2 ms however small it is, and a command needs thirty of them.

/**
 * Files by name, from `chunks` (CommonJS text by name) and esbuild's `metafile`. Each chunk goes into the file of the entry
 * that loads least besides; `main` runs first and holds the loader.
 */
export function pack(chunks, { metafile, main }) {
  const outputs = new Map(Object.entries(metafile.outputs).map(([path, output]) => [nameOf(path), output]));
  const closures = [...outputs]
    .filter(([, { entryPoint }]) => entryPoint !== undefined)
    .map(([name]) => ({ name, chunks: closureOf(name, outputs) }))
    .sort((a, b) => Number(b.name === main) - Number(a.name === main) || sizeOf(a, chunks) - sizeOf(b, chunks));
  const homes = new Map();
  for (const { name, chunks: needed } of closures) {
    for (const chunk of needed) if (!homes.has(chunk)) homes.set(chunk, name);
  }
  const files = new Map();
  for (const home of new Set(homes.values())) {
    const own = [...homes.keys()].filter((chunk) => homes.get(chunk) === home);
    const functions = own.map((chunk) => `${JSON.stringify(chunk)}(module,exports,require){${chunks.get(chunk)}\n}`);
    files.set(
      home,
      `${home === main ? loader(homes, main) : 'module.exports='}{${functions.join(',\n')}}${home === main ? `;module.exports=load("./${main}");` : ''}`,
    );
  }
  return files;
}

const nameOf = (path) => path.replace(/.*\//, '');

/** The chunks that `name` needs before its own first line, itself included. */
function closureOf(name, outputs, found = new Set()) {
  found.add(name);
  for (const { path, kind, external } of outputs.get(name).imports) {
    if (kind === 'import-statement' && !external && !found.has(nameOf(path))) closureOf(nameOf(path), outputs, found);
  }
  return found;
}

const sizeOf = (closure, chunks) => [...closure.chunks].reduce((sum, name) => sum + chunks.get(name).length, 0);

/** Runs each chunk once, out of the file that it is in. */
function loader(homes, main) {
  const elsewhere = Object.fromEntries([...homes].filter(([, home]) => home !== main));
  return `"use strict";
const homes=${JSON.stringify(elsewhere)},loaded={};
function load(path){
  if(!path.startsWith("./"))return require(path);
  const name=path.slice(2);
  if(loaded[name])return loaded[name].exports;
  const module=loaded[name]={exports:{}},home=homes[name];
  (home?require("./"+home):own)[name](module,module.exports,load);
  return module.exports;
}
const own=`;
}
