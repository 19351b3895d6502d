// The script and the style of the page of `riskcli report`, as texts for esbuild and vite to put
// into src/output/report/page/page.ts.
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const BROWSER = fileURLToPath(new URL('../src/output/report/page/browser', import.meta.url));

/** Each with all that it imports, for browsers that are a few years old. */
export async function pageParts() {
  const { outputFiles } = await build({
    entryPoints: [`${BROWSER}/page.ts`, `${BROWSER}/page.css`],
    outdir: BROWSER,
    bundle: true,
    minify: true,
    format: 'iife',
    platform: 'browser',
    target: ['chrome103', 'firefox113', 'safari16.4'],
    charset: 'ascii',
    legalComments: 'none',
    write: false,
  });
  const [script, style] = outputFiles.map(({ text }) => JSON.stringify(text.trim()));
  return { RISKCLI_PAGE_SCRIPT: script, RISKCLI_PAGE_STYLE: style };
}
