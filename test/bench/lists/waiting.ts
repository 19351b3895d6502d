/** The CPU of a list that mostly waits, beside a bare undici loop at the same pace, several of both at once: none takes much of the machine. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { address } from '../../fixtures/place/wallets.ts';
import { answerOf, available, path } from './yardsticks.ts';

export interface Waiting {
  readonly what: string;
  readonly wallets: number;
  /** User and system time beyond that of a list of one wallet, of each run, lowest first, seconds. */
  readonly cpuSeconds: readonly number[];
  /** The same of each run as a multiple of that of a loop beside it, lowest first. */
  readonly cpuRatios: readonly number[];
  /** Undefined without strace. */
  readonly calls: Calls | undefined;
}

interface Calls {
  /** How often its main thread has waited for something to happen, start included. */
  readonly polls: number;
  /** How often it has brought a file to the disk. */
  readonly syncs: number;
}

const ANSWER_MS = 2_000;
const ANSWER_BYTES = 1_000;
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

/** A list, where its rows go, and how the program is then called. */
interface Program {
  readonly what: string;
  readonly line: (list: string, rows: string) => string;
}

export async function timeWaiting({ folder, wallets, perSecond }: WaitingOptions): Promise<readonly Waiting[]> {
  const { base, close } = await startServer();
  const stage = { folder, base };
  writeFileSync(join(folder, 'one.txt'), `${address(1)}\n`);
  writeFileSync(join(folder, 'list.txt'), Array.from({ length: wallets }, (_, i) => `${address(i + 1)}\n`).join(''));
  const programs = programsAt(base, perSecond);
  let starts = 0;
  const run = async <T>(measure: (line: string, stage: Stage) => Promise<T>, { line }: Program, list: string) => {
    starts += 1;
    const rows = `rows-${starts}.jsonl`;
    await sleep(starts * START_EVERY_MS);
    return measure(line(list, rows), stage);
  };
  const beyondStart = async (program: Program) => {
    const [one, all] = await Promise.all([run(time, program, 'one.txt'), run(time, program, 'list.txt')]);
    return all - one;
  };
  const rounds = Array.from({ length: RUNS }, () => programs.map(beyondStart));
  const timed = programs.map(async (program, i) => {
    const counted = available('strace') ? run(countCalls, program, 'list.txt') : undefined;
    const runs = await Promise.all(rounds.map((round) => round[i] ?? Number.NaN));
    return { what: program.what, runs, calls: await counted };
  });
  const all = await Promise.all(timed).finally(close);
  const sorted = (values: readonly number[]) => [...values].sort((a, b) => a - b);
  return all.map(({ what, runs, calls }) => {
    const cpuRatios = sorted(runs.map((cpu, i) => cpu / (all[0]?.runs[i] ?? Number.NaN)));
    return { what, wallets, cpuSeconds: sorted(runs), cpuRatios, calls };
  });
}

/** All of them write a row a wallet into a file; only the last one promises that nothing paid for is lost. */
function programsAt(base: string, perSecond: number): readonly Program[] {
  const bare = (list: string) => [path('test/bench/lists/bare-loop.mjs'), base, list, CONNECTIONS, perSecond];
  const riskcli = (list: string) => [path('bin/riskcli.js'), 'profile', '-f', list, '--rate', perSecond];
  return [
    { what: 'bare undici loop', line: (list, rows) => `${quote(bare(list))} > ${rows}` },
    { what: 'riskcli --jsonl', line: (list, rows) => `${quote([...riskcli(list), '--jsonl'])} > ${rows}` },
    { what: 'riskcli -o x.jsonl', line: (list, rows) => quote([...riskcli(list), '-o', rows]) },
  ];
}

const quote = (words: readonly (string | number)[]) =>
  [process.execPath, ...words].map((word) => `'${word}'`).join(' ');

/** Answers of a thousand bytes, two seconds after they were asked for. */
async function startServer() {
  const server = createServer(({ url = '' }, response) => {
    const answer = answerOf(url.slice(url.lastIndexOf('/') + 1), ANSWER_BYTES);
    response.setHeader('content-type', 'application/json').setHeader('x-ratelimit-limit', '20000');
    setTimeout(() => response.end(answer), ANSWER_MS);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const bound = server.address();
  const port = typeof bound === 'object' && bound ? bound.port : 0;
  return { base: `http://127.0.0.1:${port}`, close: () => void server.close() };
}

interface Stage {
  readonly folder: string;
  readonly base: string;
}

/** In a run of its own, since a traced one takes more. Of the waits node itself makes one in its main thread only: epoll's. */
async function countCalls(line: string, stage: Stage): Promise<Calls> {
  const counts = join(stage.folder, `${line.replace(/\W/g, '').slice(-40)}.strace`);
  await bash(`strace -f -c -e trace=epoll_wait,epoll_pwait,fsync,fdatasync -o ${counts} ${line}`, stage);
  const rows = [...readFileSync(counts, 'utf8').matchAll(/^ *[\d.]+ +[\d.]+ +\d+ +(\d+) .*?(\w+)$/gm)];
  const sum = (name: RegExp) =>
    rows.reduce((total, [, calls, call = '']) => total + (name.test(call) ? Number(calls) : 0), 0);
  return { polls: sum(/^epoll_p?wait$/), syncs: sum(/^f(data)?sync$/) };
}

/** bash's own clock counts what node has used, its threads and all. */
async function time(line: string, stage: Stage): Promise<number> {
  const told = await bash(`time ${line}`, stage);
  const [, user, system] = /^took ([\d.]+) ([\d.]+)$/m.exec(told) ?? [];
  return Number(user) + Number(system);
}

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
