/** Small programs made of the source tree, run as real processes: what a kill or a race does cannot be seen from inside. */
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** Bundles `source`, whose imports are relative to the repository, into `outfile` (`.mjs`). */
export async function bundleScript(source: string, outfile: string): Promise<void> {
  await build({
    stdin: { contents: source, loader: 'ts', resolveDir: root },
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    outfile,
    logLevel: 'error',
  });
}
