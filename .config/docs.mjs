// Writes what docs/ says that the program's own tables say: `npm run docs`.
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { documents } from './documents.mjs';
import { pageParts } from './page-parts.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const maker = join(root, 'node_modules/.cache/riskcli-documents.mjs');
await build({
  absWorkingDir: root,
  entryPoints: ['src/program/documents.ts'],
  outfile: maker,
  bundle: true,
  format: 'esm',
  platform: 'node',
  packages: 'external',
  plugins: [pageParts(), documents],
});
const { errorsPage, withSettingsTables } = await import(pathToFileURL(maker).href);
const settings = join(root, 'docs/settings.md');
writeFileSync(settings, await withSettingsTables(readFileSync(settings, 'utf8')));
writeFileSync(join(root, 'docs/errors.md'), errorsPage());
