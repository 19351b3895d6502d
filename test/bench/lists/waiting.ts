/** The CPU of a list that mostly waits, beside a bare undici loop at the same pace, several of both at once: none takes much of the machine. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { address } from '../../fixtures/place/wallets.ts';
import { available, median, path } from './yardsticks.ts';

export interface Waiting {
  readonly what: string;
  readonly wallets: number;
  /** User and system time beyond that of a list of one wallet, the median of the runs, seconds. */
  readonly cpuSeconds: number;
  /** The same of each run as a multiple of that of a loop beside it, lowest first. */
  readonly cpuRatios: readonly number[];
  /** How often its main thread has waited for something to happen, start included; undefined without strace. */
  readonly wakeUps: number | undefined;
}

const ANSWER_MS = 2_000;
/** Of each program, side by side. */
const RUNS = 5;
/** Between two starts: those that began together would wake up together, and take the caches from each other. */
const START_EVERY_MS = 300;
/** More than are in flight. */
const CONNECTIONS = 50;

interface WaitingOptions {
  readonly folder: string;
  readonly wallets: number;
  readonly perSecond: number;
}

export async function timeWaiting({ folder, wallets, perSecond }: WaitingOptions): Promise<readonly Waiting[]> {
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
    ['bare undici loop', (file) => ['test/bench/lists/bare-loop.mjs', base, file, `${CONNECTIONS}`, `${perSecond}`]],
    ['riskcli --jsonl', (file) => ['bin/riskcli.js', 'profile', '-f', file, '--jsonl', '--rate', `${perSecond}`]],
  ];
  let starts = 0;
  const cpuOf = async (line: readonly string[]) => {
    starts += 1;
    await sleep(starts * START_EVERY_MS);
    return time(line, { folder, base });
  };
  const beyondStart = async (line: (file: string) => readonly string[]) => {
    const [one, all] = await Promise.all([cpuOf(line('one.txt')), cpuOf(line('list.txt'))]);
    return all - one;
  };
  const rounds = Array.from({ length: RUNS }, () => programs.map(([, line]) => beyondStart(line)));
  const timed = programs.map(async ([what, line], i) => {
    const watched = available('strace') ? wakeUpsOf(line('list.txt'), { folder, base }, what) : undefined;
    const runs = await Promise.all(rounds.map((round) => round[i] ?? Number.NaN));
    return { what, runs, wakeUps: await watched };
  });
  const all = await Promise.all(timed).finally(() => server.close());
  return all.map(({ what, runs, wakeUps }) => {
    const cpuRatios = runs.map((cpu, i) => cpu / (all[0]?.runs[i] ?? Number.NaN)).sort((a, b) => a - b);
    return { what, wallets, cpuSeconds: median(runs), cpuRatios, wakeUps };
  });
}

interface Stage {
  readonly folder: string;
  readonly base: string;
}

/** In a run of its own, since a traced one takes more. Of the waits node itself makes one in its main thread only: epoll's. */
async function wakeUpsOf(line: readonly string[], stage: Stage, what: string): Promise<number> {
  const counts = join(stage.folder, `${what.replace(/\W/g, '')}.strace`);
  await bash(`strace -f -c -e trace=epoll_wait,epoll_pwait -o ${counts} ${wordsOf(line)} > /dev/null`, stage);
  const rows = readFileSync(counts, 'utf8').matchAll(/^ *[\d.]+ +[\d.]+ +\d+ +(\d+) .*epoll_p?wait$/gm);
  return [...rows].reduce((sum, [, calls]) => sum + Number(calls), 0);
}

/** bash's own clock counts what node has used, its threads and all. */
async function time(line: readonly string[], stage: Stage): Promise<number> {
  const told = await bash(`time ${wordsOf(line)} > /dev/null`, stage);
  const [, user, system] = /^took ([\d.]+) ([\d.]+)$/m.exec(told) ?? [];
  return Number(user) + Number(system);
}

const wordsOf = ([script = '', ...args]: readonly string[]) =>
  [process.execPath, path(script), ...args].map((word) => `'${word}'`).join(' ');

/** Runs `script`, and returns what it says on stderr. */
async function bash(script: string, { folder, base }: Stage): Promise<string> {
  const child = spawn('bash', ['-c', script], {
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
  if (status !== 0) throw new Error(`${script}: exit ${status}: ${stderr}`);
  return stderr;
}
