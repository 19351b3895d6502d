// A file of src as a module of this process, for what is made out of the program's own tables.
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { pageParts } from './page-parts.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

/** `path` is relative to src. */
export async function importSource(path) {
  const outfile = join(root, 'node_modules/.cache/made', path.replace(/\.ts$/, '.mjs'));
  await build({
    absWorkingDir: root,
    entryPoints: [join('src', path)],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    plugins: [pageParts()],
  });
  return import(pathToFileURL(outfile).href);
}
