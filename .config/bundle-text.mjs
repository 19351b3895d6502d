// What is changed in a bundle that esbuild has written, for a start that is measured in milliseconds.

/** What most modules import. */
const OFTEN = ['./main.js', 'node:fs', 'node:path'];

/** The text of a bundle as it is published. @param text as esbuild wrote it, a CommonJS bundle without a default export */
export const bundleText = (text) => withUrl(requiringOnce(withPlainExports(text)));

/** esbuild exports a getter for each name, and copies them all where they are imported: hundreds of functions at each start. */
function withPlainExports(text) {
  const [all, list] = /var \w+={};__export\(\w+,{([^}]*)}\);module\.exports=__toCommonJS\(\w+\);/.exec(text) ?? [];
  if (list === undefined) throw new Error('a bundle has no exports, or esbuild writes them otherwise');
  const names = list.replaceAll(/(\w+):\(\)=>(\w+)/g, (_, name, own) => (name === own ? name : `${name}:${own}`));
  const own = /__toESM\((require\("\.\/[\w-]+\.js"\)),1\)/g;
  return `${text.replace(all, '').replaceAll(own, '$1').trimEnd()}module.exports={${names}};\n`;
}

/** Each module in a bundle asks anew for what it imports: a hundred times at each start. */
function requiringOnce(text) {
  const asked = OFTEN.map((name, at) => [`require("${name}")`, `__often${at}`]);
  const often = asked.filter(([call]) => text.includes(call));
  const all = often.reduce((so, [call, own]) => so.replaceAll(call, own), text.replace(/^"use strict";/, ''));
  return `"use strict";${often.map(([call, own]) => `const ${own}=${call};`).join('')}${all}`;
}

function withUrl(text) {
  return text.includes('__url') ? `const __url=require('node:url').pathToFileURL(__filename).href;${text}` : text;
}
