// The sources for the tests: as modules that node loads itself, they take less time than as vite's, in which each use of what
// another module exports is a look-up, and which every worker asks the main process for. All are made in a fifth of a second.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { pageParts } from './page-parts.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const src = join(root, 'src');
const cache = join(root, 'node_modules/.cache/sources');
const DAY_MS = 24 * 60 * 60 * 1000;

/** A module for each file of src; what they share is a module, too, so that there is one of each class. */
async function modules() {
  const names = readdirSync(src, { recursive: true, encoding: 'utf8' });
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: names.filter((name) => /(?<!\.d)\.ts$/.test(name)).map((name) => join(src, name)),
    outdir: join(cache, 'made'),
    outbase: src,
    outExtension: { '.js': '.mjs' },
    chunkNames: 'shared/[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    packages: 'external',
    sourcemap: 'inline',
    sourcesContent: false,
    write: false,
    // version.ts alone asks for it.
    define: { 'import.meta.url': JSON.stringify(pathToFileURL(join(src, 'version.ts')).href) },
    plugins: [pageParts()],
  });
  return outputFiles.map(({ path, contents }) => ({ name: relative(join(cache, 'made'), path), contents }));
}

/**
 * The folder with the modules of the sources as they are. It has the name of what is in it: a run that began before a change of
 * the sources goes on with what it began with.
 */
async function makeFolder() {
  const files = await modules();
  const hash = createHash('sha256');
  for (const { name, contents } of files) hash.update(`${name}\0`).update(contents);
  const folder = join(cache, hash.digest('hex').slice(0, 16));
  if (existsSync(folder)) return folder;
  mkdirSync(cache, { recursive: true });
  for (const name of readdirSync(cache)) {
    const { mtimeMs } = statSync(join(cache, name), { throwIfNoEntry: false }) ?? { mtimeMs: 0 };
    if (Date.now() - mtimeMs > DAY_MS) rmSync(join(cache, name), { recursive: true, force: true });
  }
  const written = mkdtempSync(join(cache, 'new-'));
  for (const { name, contents } of files) {
    mkdirSync(dirname(join(written, name)), { recursive: true });
    writeFileSync(join(written, name), contents);
  }
  try {
    renameSync(written, folder);
  } catch (error) {
    // Another run has made it meanwhile.
    rmSync(written, { recursive: true });
    if (!existsSync(folder)) throw error;
  }
  return folder;
}

/** For vite. A watch, which has to see each change, takes the sources themselves. */
export function sourcesInTests() {
  let isWatching = false;
  let folder;
  const folderOnce = () => {
    folder ??= makeFolder();
    return folder;
  };
  return {
    name: 'sources',
    enforce: 'pre',
    async configureVitest({ vitest, project }) {
      isWatching = vitest.config.watch;
      // Programs that tests make of them import them there (test/fixtures/process/script.ts). Those of a watch are of its start.
      project.config.env.RISKCLI_SOURCES = await folderOnce();
    },
    async resolveId(source, importer = '') {
      const path = resolve(dirname(importer), source);
      if (isWatching || !/^\.\.?\/.*\.ts$/.test(source) || !path.startsWith(src + sep)) return undefined;
      return { id: join(await folderOnce(), relative(src, path).replace(/\.ts$/, '.mjs')), external: true };
    },
  };
}
