// Builds dist/: one small entry, and a chunk for each heavy part that is loaded when an action needs it. Everything is
// bundled, so the package has no run-time dependency; the licence texts of what is inside go along.
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const dist = join(root, 'dist');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

const { metafile } = await build({
  absWorkingDir: root,
  entryPoints: ['src/main.ts'],
  outdir: 'dist',
  chunkNames: '[name]-[hash]',
  bundle: true,
  splitting: true,
  minify: true,
  keepNames: false,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  legalComments: 'none',
  metafile: true,
  define: { RISKCLI_VERSION: JSON.stringify(version) },
  // CommonJS packages inside an ESM bundle ask for node's own modules through require.
  banner: { js: "import{createRequire as __cr}from'node:module';const require=__cr(import.meta.url);" },
});
// What is there is replaced file by file, so that a build beside a running riskcli does not pull the floor from under it.
const fresh = new Set([
  ...Object.keys(metafile.outputs).map((path) => basename(path)),
  'meta.json',
  'THIRD-PARTY-LICENSES.txt',
]);
writeFileSync(join(dist, 'meta.json'), JSON.stringify(metafile));
for (const stale of readdirSync(dist)) if (!fresh.has(stale)) rmSync(join(dist, stale));
await completions(process.argv.includes('--write-completions'));
writeFileSync(join(dist, 'THIRD-PARTY-LICENSES.txt'), licences(Object.keys(metafile.inputs)));

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
  const maker = join(dist, 'completion-scripts.mjs');
  await build({
    absWorkingDir: root,
    entryPoints: ['src/completion/scripts.ts'],
    outfile: maker,
    bundle: true,
    format: 'esm',
    platform: 'node',
  });
  const { completionScripts } = await import(maker);
  rmSync(maker);
  for (const [name, text] of Object.entries(completionScripts())) {
    const path = join(root, 'completions', name);
    if (write) writeFileSync(path, text);
    else if (!existsSync(path) || readFileSync(path, 'utf8') !== text) {
      throw new Error(`completions/${name} is not what the command table says; run: npm run completions`);
    }
  }
}
