// Builds dist/: one small entry, and a chunk for each heavy part that is loaded when an action needs it. Everything is
// bundled, so the package has no run-time dependency; the licence texts of what is inside go along.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, transform } from 'esbuild';
import { pack } from './pack.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const dist = join(root, 'dist');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

// Names are kept, so that a stack of --debug means something: a third more bytes, and no time at start that can be measured
// (esbuild's keepNames costs 2 to 10 ms).
const readable = { minifyWhitespace: true, minifySyntax: true };

const { metafile, outputFiles } = await build({
  absWorkingDir: root,
  entryPoints: ['src/main.ts'],
  outdir: 'dist',
  chunkNames: '[name]-[hash]',
  bundle: true,
  splitting: true,
  ...readable,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  legalComments: 'none',
  metafile: true,
  write: false,
  define: { RISKCLI_VERSION: JSON.stringify(version) },
  plugins: [{ name: 'no-child-process', setup: leaveOutChildProcess }],
});
const chunks = new Map();
for (const { path, text } of outputFiles) chunks.set(basename(path), await toCommonJs(text));
const files = pack(chunks, { metafile, main: 'main.js' });
files.set('package.json', '{ "type": "commonjs" }\n');
files.set('meta.json', JSON.stringify(metafile));
files.set('THIRD-PARTY-LICENSES.txt', licences(Object.keys(metafile.inputs)));

// File by file, so that a build beside a running riskcli does not pull the floor from under it.
mkdirSync(dist, { recursive: true });
for (const [name, text] of files) writeFileSync(join(dist, name), text);
for (const stale of readdirSync(dist)) if (!files.has(stale)) rmSync(join(dist, stale));
await completions(process.argv.includes('--write-completions'));

/** commander loads node:child_process for commands that are programs of their own; there are none, and it costs a millisecond. */
function leaveOutChildProcess({ onResolve, onLoad }) {
  onResolve({ filter: /^node:child_process$/ }, ({ path, importer }) =>
    /node_modules.commander./.test(importer) ? { path, namespace: 'left-out' } : undefined,
  );
  onLoad({ filter: /./, namespace: 'left-out' }, () => ({ contents: '' }));
}

/** Chunks need ESM to be split, but node loads CommonJS faster: `node` on an empty file takes 3 to 4 ms less. */
async function toCommonJs(text) {
  const usesUrl = text.includes('import.meta.url');
  const { code } = await transform(text, {
    format: 'cjs',
    platform: 'node',
    target: 'node20.19',
    ...readable,
    supported: { 'dynamic-import': false },
    define: { 'import.meta.url': '__url' },
    banner: usesUrl ? "const __url=require('node:url').pathToFileURL(__filename).href;" : '',
  });
  return code;
}

/** The licence texts of the packages that `inputs` come from. */
function licences(inputs) {
  const folders = new Set(
    inputs.map((path) => /^(?:.*node_modules\/)(?:@[^/]+\/)?[^/]+/.exec(path)?.[0]).filter(Boolean),
  );
  return [...folders]
    .sort()
    .map(licence)
    .join(`\n${'-'.repeat(80)}\n\n`);
}

function licence(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
  const file = readdirSync(join(root, folder)).find((entry) => /^licen[cs]e/i.test(entry));
  const path = file && join(root, folder, file);
  const text = path && existsSync(path) ? readFileSync(path, 'utf8') : `Licence: ${license}\n`;
  return `${name} ${version} (${license})\n\n${text.trim()}\n`;
}

/** The completions are checked in: they are made from the command table here, and a drift fails the build. */
async function completions(write) {
  const maker = join(root, 'node_modules/.cache/riskcli-completions.mjs');
  await build({
    absWorkingDir: root,
    entryPoints: ['src/program/completion/scripts.ts'],
    outfile: maker,
    bundle: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
  });
  const { completionScripts } = await import(pathToFileURL(maker).href);
  for (const [name, text] of Object.entries(await completionScripts())) {
    const path = join(root, 'completions', name);
    if (write) writeFileSync(path, text);
    else if (!existsSync(path) || readFileSync(path, 'utf8') !== text) {
      throw new Error(`completions/${name} is not what the command table says; run: npm run completions`);
    }
  }
}
