/** The transport in processes of its own: node reads some of its environment only when it starts. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { temporaryFolder } from '../place/folder.ts';
import type { Sent } from './send.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

const SCRIPT = `
import { send } from './test/helpers/service/send.ts';
process.on('message', async ({ url, env }) => process.send(await send(new URL(url), env)));
`;

export interface TransportProcesses extends AsyncDisposable {
  /** One GET to `url` from a process that was started with the variables of node among `env`, through the proxy that others name. */
  send(url: URL, env?: Readonly<Record<string, string>>): Promise<Sent & { readonly stderr: string }>;
}

/** Bundles the transport. Processes are started as they are needed, one for all requests with the same variables of node. */
export async function buildTransportProcesses(): Promise<TransportProcesses> {
  const outfile = join(temporaryFolder(), 'send.mjs');
  await build({
    stdin: { contents: SCRIPT, resolveDir: ROOT, loader: 'ts' },
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    banner: { js: "import{createRequire as __cr}from'node:module';const require=__cr(import.meta.url);" },
    logLevel: 'error',
  });
  const started = new Map<string, ChildProcess>();
  const childFor = (variables: Readonly<Record<string, string>>) => {
    const name = JSON.stringify(variables);
    const child = started.get(name) ?? startChild(outfile, variables);
    started.set(name, child);
    return child;
  };
  return {
    async send(url, env = {}) {
      const child = childFor(Object.fromEntries(Object.entries(env).filter(([name]) => name.startsWith('NODE_'))));
      let stderr = '';
      const collect = (text: string) => {
        stderr += text;
      };
      child.stderr?.on('data', collect);
      child.send({ url: url.href, env });
      const [sent] = await once(child, 'message');
      // What it wrote before is read in the same turn.
      await setImmediate();
      child.stderr?.off('data', collect);
      return { ...(sent as Sent), stderr };
    },
    async [Symbol.asyncDispose]() {
      for (const child of started.values()) child.kill('SIGKILL');
    },
  };
}

function startChild(script: string, variables: Readonly<Record<string, string>>): ChildProcess {
  const env = { PATH: process.env.PATH ?? '', ...variables };
  const child = fork(script, { env, execArgv: [], stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
  child.stderr?.setEncoding('utf8');
  return child;
}
