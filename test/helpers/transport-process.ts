/** The transport in a process of its own: node reads some of its environment only when it starts. */
import { execFile } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** What became of one GET: the status, or the error with its exit code. */
export interface Sent {
  readonly status?: number;
  readonly message?: string;
  readonly hint?: string;
  readonly code?: string;
  readonly exitCode?: number;
  readonly stderr: string;
}

const SCRIPT = `
import { createTransport } from './src/service/http/transport.ts';
import { proxyFor } from './src/service/http/proxy.ts';
const url = new URL(process.argv[2]);
let transport;
try {
  transport = createTransport({ origin: url.origin, clock: { monotonic: () => performance.now() }, proxy: proxyFor(url, process.env) });
  const { status } = await transport.send({ url, headers: { 'x-api-key': 'wrp_canary' }, timeoutMs: 5000 });
  console.log(JSON.stringify({ status }));
} catch (error) {
  const { message, hint, code, exitCode, stack } = error;
  console.log(JSON.stringify({ message, hint, code, exitCode: exitCode ?? stack }));
}
await transport?.close();
`;

/** Bundles the transport; the result sends one GET to a URL from a process with just these variables. */
export async function buildTransportProcess(): Promise<(url: URL, env?: Record<string, string>) => Promise<Sent>> {
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
