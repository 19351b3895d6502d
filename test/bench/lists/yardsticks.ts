/**
 * A list against nginx on loopback beside programs that do less: a bare undici loop, 25 lines of aiohttp, curl in parallel, a curl
 * a wallet. Seconds mean little on a shared machine; the ratios of one run do.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { address } from '../../fixtures/place/wallets.ts';
import { end, freePort, startProgram } from '../server-program.ts';

export interface Timed {
  readonly what: string;
  readonly wallets: number;
  /** Of each round, lowest first. User and system time is that of the program and its children. */
  readonly seconds: readonly number[];
  readonly cpuSeconds: readonly number[];
  /** Wall and CPU time a wallet as multiples of the first program's in the same round, lowest first. */
  readonly wallRatios: readonly number[];
  readonly cpuRatios: readonly number[];
}

export interface YardstickOptions {
  readonly folder: string;
  readonly wallets: number;
  /** Bytes of an answer. */
  readonly bytes: number;
}

const IN_FLIGHT = 50;
const MANY_IN_FLIGHT = 128;
/** A process a wallet takes so long that a few tell as much. */
const CURLS = 2_000;

/** The bundle of this file lies three folders below the root. */
export const path = (relative: string) => fileURLToPath(new URL(`../../../${relative}`, import.meta.url));

export const available = (program: string) => spawnSync('which', [program]).status === 0;

/** A Python that has aiohttp: another one may come before the system's. */
const pythonWithAiohttp = () =>
  ['python3', '/usr/bin/python3'].find((name) => spawnSync(name, ['-c', 'import aiohttp']).status === 0) ??
  'no-aiohttp';

type Figure = 'seconds' | 'cpuSeconds';

/** How often each program runs. What is told is the median, with the least and the most. */
export const ROUNDS = 3;

/** The programs in turns, so that a busy moment of the machine meets all of them; the yardsticks first. */
export async function timeYardsticks({ folder, wallets, bytes }: YardstickOptions): Promise<readonly Timed[]> {
  const port = await freePort();
  const config = nginxConfig({ folder, port, bytes });
  const args = (file: string) => ['-e', 'stderr', '-p', folder, '-c', file];
  const server = await startProgram('nginx', { config, folder, port, args });
  const base = `http://127.0.0.1:${port}`;
  const stage = { folder, base };
  try {
    writeLists(folder, { wallets, base });
    const riskcli = `'${process.execPath}' '${path('bin/riskcli.js')}' profile -f list.txt`;
    const bare = `'${process.execPath}' '${path('test/bench/lists/bare-loop.mjs')}' ${base} list.txt ${IN_FLIGHT}`;
    const python = pythonWithAiohttp();
    const commands: readonly (readonly [what: string, line: string, program: string, count: number])[] = [
      ['bare undici loop', `${bare} > bare.jsonl`, 'node', wallets],
      ...[IN_FLIGHT, MANY_IN_FLIGHT].map(
        (count) =>
          [
            `curl -Z, ${count} at once`,
            `curl -s --parallel --parallel-max ${count} -K urls > curl.out`,
            'curl',
            wallets,
          ] as const,
      ),
      [
        `aiohttp, ${MANY_IN_FLIGHT} workers`,
        `${python} '${path('test/bench/lists/asyncio-loop.py')}' ${base} list.txt aiohttp.csv`,
        python,
        wallets,
      ],
      [
        'xargs -P 8 curl',
        `head -n ${CURLS} list.txt | xargs -P 8 -I{} curl -s ${base}/v1/risk-profile/{} > x.out`,
        'curl',
        CURLS,
      ],
      ['riskcli --jsonl', `${riskcli} --jsonl > rows.jsonl`, 'node', wallets],
      ['riskcli -o x.csv', `${riskcli} -o x.csv`, 'node', wallets],
    ];
    const present = commands.filter(([, , program]) => program === 'node' || available(program));
    const rounds = Array.from({ length: ROUNDS }, () => present.map(([, line]) => time(line, stage)));
    return present.map(([what, , , count], i) => {
      const sorted = (values: readonly number[]) => [...values].sort((a, b) => a - b);
      const times = (figure: Figure) => sorted(rounds.map((round) => round[i]?.[figure] ?? 0));
      const ratios = (figure: Figure) =>
        sorted(rounds.map((round) => (round[i]?.[figure] ?? 0) / count / ((round[0]?.[figure] ?? 0) / wallets)));
      return {
        what,
        wallets: count,
        seconds: times('seconds'),
        cpuSeconds: times('cpuSeconds'),
        wallRatios: ratios('seconds'),
        cpuRatios: ratios('cpuSeconds'),
      };
    });
  } finally {
    await end(server);
  }
}

export const median = (values: readonly number[]) =>
  [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

/** Answers that name their wallet, from memory. */
function nginxConfig({ folder, port, bytes }: { folder: string; port: number; bytes: number }): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (kind) => `${kind}_temp_path ${folder}/t;`,
  );
  return `
    daemon off;
    master_process off;
    pid ${folder}/nginx.pid;
    worker_rlimit_nofile 16384;
    events { worker_connections 8000; }
    http {
      ${temporary.join('\n')}
      access_log off;
      add_header X-RateLimit-Limit 20000;
      keepalive_requests 1000000000;
      server {
        listen 127.0.0.1:${port} backlog=4096;
        location ~ ^/v1/risk-profile/(?<wallet>0x[0-9a-fA-F]+)$ {
          default_type application/json;
          return 200 '${answerOf('$wallet', bytes)}';
        }
      }
    }`;
}

/** An answer about `wallet` of so many `bytes`. */
export function answerOf(wallet: string, bytes: number): string {
  const known = '"total_collateral_usd":1234.56,"defi_score":{"defi_score":474,"risk_level":"High Risk"}';
  return `{"wallet_address":"${wallet}",${known},${padding(bytes)}}`;
}

/** Members like those of real answers, until there are `bytes`. */
function padding(bytes: number): string {
  const factor = (i: number) =>
    `"factor_${i}":{"severity":"low","weight":0.${i + 10},"impact":-${i}.5,"reasoning":"steady"}`;
  const count = Math.max(1, Math.round((bytes - 150) / 75));
  return Array.from({ length: count }, (_, i) => factor(i)).join(',');
}

function writeLists(folder: string, { wallets, base }: { wallets: number; base: string }): void {
  mkdirSync(folder, { recursive: true });
  const addresses = Array.from({ length: wallets }, (_, i) => address(i + 1));
  writeFileSync(join(folder, 'list.txt'), `${addresses.join('\n')}\n`);
  writeFileSync(join(folder, 'urls'), addresses.map((wallet) => `url = ${base}/v1/risk-profile/${wallet}\n`).join(''));
}

/** bash's own clock counts the children too. */
function time(line: string, { folder, base }: { folder: string; base: string }) {
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    RISKCLI_API_KEY: 'sk_bench0123456789abcdef',
    RISKCLI_BASE_URL: base,
    TIMEFORMAT: 'took %R %U %S',
  };
  const timed = spawnSync('bash', ['-c', `time { ${line}; }`], { cwd: folder, env, encoding: 'utf8' });
  const [, seconds, user, system] = /^took ([\d.]+) ([\d.]+) ([\d.]+)$/m.exec(timed.stderr) ?? [];
  if (timed.status !== 0) throw new Error(`${line}: exit ${timed.status}: ${timed.stderr}`);
  return { seconds: Number(seconds), cpuSeconds: Number(user) + Number(system) };
}
