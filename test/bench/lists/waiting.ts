/** The CPU of a list that mostly waits, beside a bare undici loop at the same pace, both at once: neither takes much of the machine. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { address } from '../../fixtures/place/wallets.ts';
import { path } from './yardsticks.ts';

export interface Waiting {
  readonly what: string;
  readonly wallets: number;
  /** User and system time beyond that of a list of one wallet, seconds. */
  readonly cpuSeconds: number;
}

const PER_SECOND = 10;
const ANSWER_MS = 2_000;
/** More than are in flight. */
const CONNECTIONS = 50;

interface WaitingOptions {
  readonly folder: string;
  readonly wallets: number;
}

export async function timeWaiting({ folder, wallets }: WaitingOptions): Promise<readonly Waiting[]> {
  const server = createServer(({ url = '' }, response) => {
    const profile = { wallet_address: url.slice(url.lastIndexOf('/') + 1), total_collateral_usd: 1, defi_score: {} };
    setTimeout(() => response.setHeader('content-type', 'application/json').end(JSON.stringify(profile)), ANSWER_MS);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const bound = server.address();
  const base = `http://127.0.0.1:${typeof bound === 'object' && bound ? bound.port : 0}`;
  writeFileSync(join(folder, 'one.txt'), `${address(1)}\n`);
  writeFileSync(join(folder, 'list.txt'), Array.from({ length: wallets }, (_, i) => `${address(i + 1)}\n`).join(''));
  const programs: readonly (readonly [what: string, line: (file: string) => readonly string[]])[] = [
    ['bare undici loop', (file) => ['test/bench/lists/bare-loop.mjs', base, file, `${CONNECTIONS}`, `${PER_SECOND}`]],
    ['riskcli --jsonl', (file) => ['bin/riskcli.js', 'profile', '-f', file, '--jsonl', '--rate', `${PER_SECOND}`]],
  ];
  const cpuOf = async (line: readonly string[]) => time(line, { folder, base });
  const timed = programs.map(async ([what, line]) => {
    const [one, all] = await Promise.all([cpuOf(line('one.txt')), cpuOf(line('list.txt'))]);
    return { what, wallets, cpuSeconds: all - one };
  });
  return Promise.all(timed).finally(() => server.close());
}

/** bash's own clock counts what node has used, its threads and all. */
async function time([script = '', ...args]: readonly string[], { folder, base }: { folder: string; base: string }) {
  const words = [process.execPath, path(script), ...args].map((word) => `'${word}'`).join(' ');
  const child = spawn('bash', ['-c', `time ${words} > /dev/null`], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      RISKCLI_API_KEY: 'sk_bench0123456789abcdef',
      RISKCLI_BASE_URL: base,
      TIMEFORMAT: 'took %U %S',
    },
  });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text) => (stderr += text));
  const [status] = await once(child, 'close');
  const [, user, system] = /^took ([\d.]+) ([\d.]+)$/m.exec(stderr) ?? [];
  if (status !== 0) throw new Error(`${words}: exit ${status}: ${stderr}`);
  return Number(user) + Number(system);
}
