// The script and the style of the page of `riskcli report`, as text that the program holds: `import script from './x.ts?page'`.
// One plugin for the build, one for the tests, which run the sources.
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const MARK = /\?page$/;

/** The file at `path` with all that it imports, in one piece, for browsers that are a few years old. */
async function partOf(path) {
  const { outputFiles, metafile } = await build({
    // The metafile names packages relative to it, wherever the build is started.
    absWorkingDir: root,
    entryPoints: [path],
    bundle: true,
    minify: true,
    format: 'iife',
    platform: 'browser',
    target: ['chrome103', 'firefox113', 'safari16.4'],
    charset: 'ascii',
    legalComments: 'none',
    metafile: true,
    write: false,
  });
  return { text: outputFiles[0].text.trim(), metafile };
}

/** `keep` is told of what each part is made: esbuild does not see into what a plugin loads. */
export const pageParts = (keep = () => {}) => ({
  name: 'page-parts',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: MARK }, ({ path, resolveDir }) => ({
      path: resolve(resolveDir, path.replace(MARK, '')),
      namespace: 'page-parts',
    }));
    onLoad({ filter: /./, namespace: 'page-parts' }, async ({ path }) => {
      const { text, metafile } = await partOf(path);
      keep(metafile);
      return { contents: text, loader: 'text' };
    });
  },
});

/** The same for vite. */
export const pagePartsInTests = {
  name: 'page-parts',
  enforce: 'pre',
  resolveId: (source, importer) =>
    MARK.test(source) ? `\0page-parts:${resolve(dirname(importer), source.replace(MARK, ''))}.text` : undefined,
  async load(id) {
    const [, path] = /^\0page-parts:(.*)\.text$/.exec(id) ?? [];
    return path ? `export default ${JSON.stringify((await partOf(path)).text)};` : undefined;
  },
};
