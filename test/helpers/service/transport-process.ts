/** The transport in a process of its own: node reads some of its environment only when it starts. */
import { execFile } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { Sent } from './send.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

const SCRIPT = `
import { send } from './test/helpers/service/send.ts';
console.log(JSON.stringify(await send(new URL(process.argv[2]), process.env)));
`;

/** Bundles the transport; the result sends one GET to a URL from a process with just these variables. */
export async function buildTransportProcess(): Promise<
  (url: URL, env?: Record<string, string>) => Promise<Sent & { readonly stderr: string }>
> {
  const outfile = join(mkdtempSync(join(tmpdir(), 'riskcli-transport-')), 'send.mjs');
  await build({
    stdin: { contents: SCRIPT, resolveDir: ROOT, loader: 'ts' },
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    banner: { js: "import{createRequire as __cr}from'node:module';const require=__cr(import.meta.url);" },
    logLevel: 'error',
  });
  return (url, env = {}) =>
    new Promise((resolve, reject) => {
      const variables = { PATH: process.env.PATH ?? '', ...env };
      execFile(process.execPath, [outfile, url.href], { env: variables }, (error, stdout, stderr) => {
        if (error) reject(error);
        else resolve({ ...JSON.parse(stdout), stderr });
      });
    });
}
