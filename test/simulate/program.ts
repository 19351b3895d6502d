/**
 * The real program, once, as a function that each simulated process calls in a realm of its own:
 * src/main.ts in one piece, with what touches the world left open. undici is replaced and not what
 * stands on it, so that deadlines, readers of answers and descriptions of failures are the real
 * ones.
 */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Script } from 'node:vm';
import { build, type Plugin } from 'esbuild';

/**
 * This file is run where it stands by vitest, and out of a bundle elsewhere below the root by `npm
 * run test:simulate`.
 */
export const root = folderAbove(dirname(fileURLToPath(import.meta.url)));

function folderAbove(folder: string): string {
  return existsSync(join(folder, 'package.json')) ? folder : folderAbove(dirname(folder));
}

/** Modules that are taken from the world instead, as `require` gives them. */
const FROM_WORLD: readonly (readonly [filter: RegExp, name: string])[] = [
  [/^undici\/lib\/dispatcher\/pool\.js$/, 'sim:dispatcher'],
];

const fromWorld: Plugin = {
  name: 'from-world',
  setup({ onResolve, onLoad }) {
    for (const [filter, name] of FROM_WORLD) onResolve({ filter }, () => ({ path: name, external: true }));
    onResolve({ filter: /^(node:)?process$/ }, () => ({ path: 'process', namespace: 'process' }));
    onLoad({ filter: /./, namespace: 'process' }, () => ({ contents: 'export default process;' }));
  },
};

/** Imported in action, that esbuild gives each module a function that makes it. */
const ENTRY = "export const start = async () => (await import('./src/main.ts')).start();";

/** How esbuild makes a module: once, when it is first asked for. */
const ESBUILD_INIT = /var __esm = \(fn, res[^)]*\) => function __init\(\) \{[\s\S]*?\n\};/;
/**
 * The same, but that the modules of the host are made anew for each process. No other module has
 * state (test/architecture.test.ts), so that a realm, whose code is compiled and warm by then, can
 * have one process after the other.
 */
const AGAIN = `var __ofHost = [];
var __esm = (fn, res) => {
  const [name] = Object.getOwnPropertyNames(fn);
  const make = fn[name];
  let isMade = false;
  if (name.startsWith('src/host/')) __ofHost.push(() => isMade && make());
  return function __init() {
    if (isMade) return res;
    isMade = true;
    return (res = make());
  };
};`;

/** How esbuild makes a CommonJS module: when it is first asked for, too. */
const COMMON_INIT = /(?<=var __commonJS = \(cb, mod\) => function __require\(\) \{\n)[\s\S]*?(?=\n\};)/;
const COMMON_ONCE = `  if (mod) return mod.exports;
  mod = { exports: {} };
  cb[__getOwnPropNames(cb)[0]](mod.exports, mod);
  return mod.exports;`;

function replaceOnce(text: string, pattern: RegExp, replacement: string): string {
  if (!pattern.test(text)) throw new Error(`not found in the bundle: ${pattern}`);
  return text.replace(pattern, () => replacement);
}

/**
 * The names that the program finds in its realm, from `globals` of the process; all else is the
 * realm's own.
 */
export const GLOBALS = [
  'process',
  'require',
  'Buffer',
  'setTimeout',
  'clearTimeout',
  'setInterval',
  'clearInterval',
  'setImmediate',
  'clearImmediate',
  'queueMicrotask',
  'performance',
  'console',
  'Date',
  'Math',
  'AbortController',
  'AbortSignal',
  'URL',
  'URLSearchParams',
  'TextDecoder',
  'TextEncoder',
  'ArrayBuffer',
  'DataView',
  'Uint8Array',
  'Float64Array',
  'structuredClone',
  'DOMException',
] as const;

/**
 * What a realm has of its own. Held by name: looking up a name of the realm itself costs a call
 * into node each time.
 */
const INTRINSIC_NAMES =
  'Promise Map Set WeakMap WeakSet WeakRef Array Object Function String Number Boolean Symbol BigInt RegExp Error TypeError RangeError SyntaxError JSON Reflect Proxy Intl Iterator AggregateError isNaN isFinite parseInt parseFloat encodeURIComponent decodeURIComponent FinalizationRegistry'
    .split(' ')
    .filter((name) => name in globalThis);

export interface Mutation {
  /** A file below the project's root, or how its path ends. */
  readonly file: RegExp;
  readonly change: (source: string) => string;
}

/**
 * The program as a script whose value is `(globals) => run`. What it promises is looked at in its
 * own realm: elsewhere it would wait for the microtasks of another.
 */
export async function compileProgram(mutation?: Mutation): Promise<Script> {
  const { outputFiles } = await build({
    absWorkingDir: root,
    stdin: { contents: ENTRY, resolveDir: root, sourcefile: 'entry.js' },
    bundle: true,
    write: false,
    format: 'cjs',
    platform: 'node',
    target: 'node20.19',
    logLevel: 'error',
    define: {
      RISKCLI_VERSION: '"0.0.0"',
      RISKCLI_ISSUES: '"https://example.invalid"',
      'import.meta.dirname': '"/program/dist"',
    },
    plugins: [...(mutation ? [mutating(mutation)] : []), fromWorld],
  });
  const code = replaceOnce(replaceOnce(outputFiles[0]?.text ?? '', ESBUILD_INIT, AGAIN), COMMON_INIT, COMMON_ONCE);
  const source = `(function (globals) {
'use strict';
const { ${GLOBALS.join(', ')} } = globals;
const { ${INTRINSIC_NAMES.join(', ')} } = globalThis;
const module = { exports: {} };
const exports = module.exports;
${code}
return (done, failed) => {
  for (const initAgain of __ofHost) initAgain();
  module.exports.start().then(() => done(), (error) => failed(error));
};
})`;
  return new Script(source, { filename: 'riskcli.js' });
}

function mutating({ file, change }: Mutation): Plugin {
  return {
    name: 'mutation',
    setup({ onLoad }) {
      onLoad({ filter: file }, ({ path }) => {
        const source = readFileSync(path, 'utf8');
        const changed = change(source);
        if (changed === source) throw new Error(`the mutation changes nothing in ${path}`);
        return { contents: changed, loader: 'ts' };
      });
    },
  };
}
