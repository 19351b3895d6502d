// Has V8 compile the functions that one wallet and a check of health call when it reads their bundle, and not first look for
// their ends and read them again at the call: a twentieth of such a run. V8 does so with a function in parentheses.
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';

/**
 * The names of these functions, by file. It is a file of its own, written by `npm run first-calls`, since not every run calls
 * the same ones, and a commit must always make the same bytes. What it lacks or has in vain costs a little time, nothing else.
 */
export const LIST = new URL('first-calls.json', import.meta.url);

/** A function that stands alone, in a file as the formatters of src and of undici leave it. */
const FUNCTION = /^(export )?((?:async )?function\*? ?(\w+)[\s\S]*?^\}$)/gm;

/** The names of the functions that stand alone in `source`. */
export const functionsIn = (source) => [...source.matchAll(FUNCTION)].map(([, , , name]) => name);

/** A plugin of esbuild, which keeps the parentheses. */
export function compileFirstCallsAtOnce(root) {
  const names = JSON.parse(readFileSync(LIST, 'utf8'));
  return ({ onLoad }) => {
    onLoad({ filter: /[\\/](src|undici[\\/]lib)[\\/].*\.(ts|js)$/, namespace: 'file' }, ({ path }) => {
      const source = readFileSync(path, 'utf8');
      const module = path.endsWith('.js') ? asModule(source) : source;
      const file = relative(root, path).replaceAll('\\', '/');
      return { contents: inParentheses(module, names[file] ?? []), loader: path.endsWith('.js') ? 'js' : 'ts' };
    });
  };
}

/** The functions `names` become constants at the top, where nothing can have called them yet. */
function inParentheses(source, names) {
  let constants = '';
  const rest = source.replaceAll(FUNCTION, (all, exported = '', text, name) => {
    if (!names.includes(name)) return all;
    constants += `${exported}const ${name} = (${text});\n`;
    return '';
  });
  return constants + rest;
}

/** undici's files are CommonJS: a function each, in which none stands alone. A require inside a function stays what it is. */
function asModule(source) {
  let imports = 0;
  return source
    .replaceAll(/^const (\w+|\{[^}]*\}) = require\('(\.[^']+)'\)$/gm, (_, names, from) => {
      const module = `imported${imports++}`;
      return `import ${module} from '${from}'; const ${names} = ${module}`;
    })
    .replace(/^module\.exports = /m, 'export default ');
}
