// Builds dist/: a CommonJS bundle for main.ts, and one for each file that is imported in action, when something needs it.
// Everything is bundled, so the package has no run-time dependency; the licence texts of what is inside go along.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { bundleText } from './bundle-text.mjs';
import { bundledPackages, licenceTexts } from './bundled.mjs';
import { importSource } from './import-source.mjs';
import { pageParts } from './page-parts.mjs';
import { billOfMaterials } from './sbom.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const dist = join(root, 'dist');
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const { version, repository } = manifest;
const made = dateOfBuild();

/**
 * What each command needs and main.ts does, too: main.js has it for all bundles, which then have less to compile. With it are
 * the errors, that `instanceof` means the same everywhere: no module that is not here may have state or such a class.
 */
const MAIN = join(root, 'src/main.ts');
const SHARED = [
  'errors.ts',
  'cli/flag.ts',
  'cli/formats.ts',
  'cli/global-flags.ts',
  'files/file-error.ts',
  'files/stream.ts',
  'host/abort.ts',
  'host/clock.ts',
  'secrets/api-key.ts',
  'secrets/private-key.ts',
  'secrets/withhold.ts',
  'text/escape.ts',
  'text/words.ts',
].map((file) => join(root, 'src', file));

/** In place of what packages load and riskcli never reaches. What is reached all the same fails loudly. */
const EMPTY = '';
const ASSERT = `module.exports = (holds, message) => {
  if (!holds) throw Object.assign(new Error(message), { code: 'ERR_ASSERTION' });
};`;
const NO_HEADER_NAMES = 'module.exports = { headerNameLowerCasedRecord: { __proto__: null } };';
const undici = createRequire(import.meta.resolve('undici'));
const PARSERS = [
  { name: 'llhttp_simd-wasm.js', file: 'llhttp-simd.wasm' },
  // For processors without SIMD.
  { name: 'llhttp-wasm.js', file: 'llhttp.wasm' },
].map(({ name, file }) => ({
  source: new RegExp(`/llhttp/${name.replace('.', '\\.')}$`),
  file,
  bytes: undici(`./lib/llhttp/${name}`),
}));
const LEFT_OUT = [
  // For commands that are programs of their own: 1 ms.
  { module: /^node:child_process$/, of: 'commander', instead: EMPTY },
  // HTTP/2, which no request negotiates: node:http2 takes 4 to 11 ms.
  { module: /\/client-h2\.js$/, of: 'undici', instead: EMPTY },
  // Bodies of requests, which a GET has not.
  { module: /\/fetch\/body\.js$/, of: 'undici', instead: EMPTY },
  // Looked at for the class of a body, and for a limit that transport.ts sets: 2 ms.
  { module: /^node:http$/, of: 'undici', instead: EMPTY },
  // Only called, never asked for more: 1 ms.
  { module: /^node:assert$/, of: 'undici', instead: ASSERT },
  // Channels that nobody subscribes to, and what NODE_DEBUG would print of them.
  { module: /\/diagnostics\.js$/, of: 'undici', instead: undiciChannels() },
  // Of the tables of its parser's grammar undici looks at two, by name: 1 ms.
  { module: /\/llhttp\/constants\.js$/, of: 'undici', instead: parserConstants() },
  // The names of headers that are known, for which lower case is looked up; the others are lowered. Both give the same.
  { module: /^\.\/tree$/, of: 'undici', instead: 'module.exports = { tree: { lookup() {} } };' },
  { module: /^\.\/constants$/, of: 'undici', instead: NO_HEADER_NAMES },
  // The parser itself: as text in a bundle it is read three times and decoded before it is compiled.
  ...PARSERS.map(({ source, file }) => ({ module: source, of: 'undici', instead: readBeside(file) })),
];

const bundles = new Map();
const files = new Map();
const parts = [];
await bundle(MAIN);
await bundle(join(root, 'src/complete.ts'));
const metafiles = [...bundles.values()].map(({ metafile }) => metafile);
const inputs = Object.assign({}, ...metafiles.map((metafile) => metafile.inputs));
const outputs = Object.assign({}, ...metafiles.map((metafile) => metafile.outputs));
const bundled = bundledPackages(root, [...metafiles, ...parts]);

for (const {
  outputFiles: [{ path, text }],
} of bundles.values())
  files.set(basename(path), bundleText(text));
files.set('package.json', '{ "type": "commonjs" }\n');
files.set('meta.json', JSON.stringify({ inputs, outputs, parts }));
files.set('THIRD-PARTY-LICENSES.txt', licenceTexts(bundled.packages));
files.set('sbom.cdx.json', `${JSON.stringify(billOfMaterials({ manifest, bundled, made }), undefined, 2)}\n`);

const { completionFile } = await importSource('program/generated.ts');
files.set('completion.json', await completionFile());
for (const { file, bytes } of PARSERS) files.set(file, bytes);

// File by file, and only what is new, so that a build beside a running riskcli does not pull the floor from under it.
mkdirSync(dist, { recursive: true });
for (const [name, text] of files) if (!holds(join(dist, name), text)) writeFileSync(join(dist, name), text);
for (const stale of filesIn(dist)) if (!files.has(stale)) rmSync(join(dist, stale));

/** Bundles the file at `entry`, and whatever it imports in action. */
async function bundle(entry) {
  if (bundles.has(entry)) return;
  const apart = new Set();
  bundles.set(entry, undefined);
  const result = await build({
    absWorkingDir: root,
    ...(entry === MAIN
      ? { stdin: { contents: exportsOf([MAIN, ...SHARED]), resolveDir: root } }
      : { entryPoints: [entry] }),
    outfile: join('dist', nameOf(entry)),
    bundle: true,
    // Names are kept, so that a stack of --debug means something: a third more bytes, and no time at start that can be
    // measured (esbuild's keepNames costs 2 to 10 ms).
    minifyWhitespace: true,
    minifySyntax: true,
    format: 'cjs',
    platform: 'node',
    target: 'node20.19',
    supported: { 'dynamic-import': false },
    legalComments: 'none',
    metafile: true,
    write: false,
    define: {
      RISKCLI_VERSION: JSON.stringify(version),
      RISKCLI_ISSUES: JSON.stringify(`${repository}/issues`),
      'import.meta.url': '__url',
    },
    plugins: [
      { name: 'apart', setup: (plugin) => keepApart(plugin, { entry, apart }) },
      { name: 'left-out', setup: leaveOut },
      { name: 'process-as-it-is', setup: takeProcessAsItIs },
      pageParts((metafile) => parts.push(metafile)),
    ],
  });
  bundles.set(entry, result);
  for (const other of apart) await bundle(other);
}

/** `commands-profile-one.js`, `docs-lists.js` */
function nameOf(path) {
  const folder = join(root, 'src');
  return relative(folder, path)
    .replaceAll(/[\\/]/g, '-')
    .replace(/(ts|md)$/, 'js');
}

function keepApart({ onResolve }, { entry, apart }) {
  onResolve({ filter: /^\..*\.(ts|md)$/ }, ({ path, kind, resolveDir }) => {
    const file = resolve(resolveDir, path);
    if (SHARED.includes(file) && entry !== MAIN) return { path: `./${nameOf(MAIN)}`, external: true };
    if (file === entry || kind !== 'dynamic-import') return undefined;
    apart.add(file);
    return { path: `./${nameOf(file)}`, external: true };
  });
}

function exportsOf(paths) {
  return paths.map((path) => `export * from ${JSON.stringify(path)};`).join('\n');
}

/** undici's channels, without subscribers. */
function undiciChannels() {
  const names = Object.keys(undici('./lib/core/diagnostics.js').channels);
  const channels = Object.fromEntries(names.map((name) => [name, { hasSubscribers: false }]));
  return `module.exports = ${JSON.stringify({ channels })};`;
}

function parserConstants() {
  const { ERROR, TYPE } = undici('./lib/llhttp/constants.js');
  return `module.exports = ${JSON.stringify({ ERROR, TYPE })};`;
}

function readBeside(file) {
  return `module.exports = require('node:fs').readFileSync(__dirname + '/${file}');`;
}

function leaveOut({ onResolve, onLoad }) {
  for (const { module, of, instead } of LEFT_OUT) {
    onResolve({ filter: module }, ({ path, importer }) =>
      importer.includes(join('node_modules', of)) ? { path, namespace: 'left-out', pluginData: instead } : undefined,
    );
  }
  onLoad({ filter: /./, namespace: 'left-out' }, ({ pluginData }) => ({ contents: pluginData }));
}

/**
 * An import of node:process becomes the object itself. esbuild would copy its properties (`__copyProps`), and so read all of
 * them: Node 22 aborts where process.title is read in a Windows console that has no title (nodejs/node#58695).
 */
function takeProcessAsItIs({ onResolve, onLoad }) {
  onResolve({ filter: /^(node:)?process$/ }, ({ path, kind }) =>
    kind === 'import-statement' ? { path, namespace: 'process' } : undefined,
  );
  // Whoever imports one of its properties by name makes the build fail, and is to be read as it is then.
  onLoad({ filter: /./, namespace: 'process' }, () => ({ contents: 'export default globalThis.process;' }));
}

function filesIn(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)));
}

function holds(path, content) {
  return existsSync(path) && readFileSync(path).equals(Buffer.from(content));
}

/** Of the last commit, so that the same sources make the same files on any day; today where there is no commit. */
function dateOfBuild() {
  const git = () =>
    execFileSync('git', ['log', '-1', '--format=%ct'], { cwd: root, stdio: ['ignore', 'pipe', 'ignore'] });
  let epoch = process.env.SOURCE_DATE_EPOCH;
  try {
    epoch ||= git();
  } catch {
    return new Date();
  }
  return new Date(Number(epoch) * 1000);
}
