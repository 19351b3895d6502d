/**
 * Prints a list's speed beside other programs': `npm run bench:yardsticks [wallets] [bytes]`, which needs nginx. `npm run
 * bench:yardsticks waiting [wallets]` prints, in two minutes, the CPU of a list that mostly waits.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { timeWaiting } from './waiting.ts';
import { available, type Timed, timeYardsticks } from './yardsticks.ts';

const words = process.argv.slice(2);
const isWaiting = words[0] === 'waiting';

/** What riskcli may take, as a multiple of the bare loop. */
const LIMITS: Readonly<Record<string, { readonly wall: number; readonly cpu: number }>> = {
  'riskcli --jsonl': { wall: 1.6, cpu: 2 },
  'riskcli -o x.csv': { wall: 2, cpu: Number.POSITIVE_INFINITY },
};

const folder = mkdtempSync(join(tmpdir(), 'riskcli-bench-'));
try {
  await (isWaiting ? printWaiting(words[1]) : printYardsticks(words));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function printYardsticks([wallets = '50000', bytes = '1000']: readonly string[]): Promise<void> {
  if (!available('nginx')) throw new Error('this benchmark needs nginx');
  const timed = await timeYardsticks({ folder, wallets: Number(wallets), bytes: Number(bytes) });
  const [bare] = timed;
  if (bare) console.table(timed.map((row) => figures(row, bare)));
}

async function printWaiting(wallets = '1000'): Promise<void> {
  const timed = await timeWaiting({ folder, wallets: Number(wallets) });
  const bare = timed[0]?.cpuSeconds ?? Number.NaN;
  const rows = timed.map(({ what, wallets: count, cpuSeconds }) => ({
    what,
    'CPU us a wallet': Math.round((1e6 * cpuSeconds) / count),
    'CPU beyond the start, seconds': cpuSeconds.toFixed(2),
    'CPU against the loop': (cpuSeconds / bare).toFixed(2),
    '': cpuSeconds > 2 * bare ? 'MISSED' : '',
  }));
  if (rows.some((row) => row[''] !== '')) process.exitCode = 1;
  console.table(rows);
}

function figures({ what, wallets: count, seconds, cpuSeconds }: Timed, bare: Timed) {
  const wall = seconds / count / (bare.seconds / bare.wallets);
  const cpu = cpuSeconds / count / (bare.cpuSeconds / bare.wallets);
  const limit = LIMITS[what];
  const missed = limit !== undefined && (wall > limit.wall || cpu > limit.cpu);
  if (missed) process.exitCode = 1;
  return {
    what,
    'wallets/s': Math.round(count / seconds),
    seconds,
    'wall against the loop': wall.toFixed(2),
    'CPU us a wallet': Math.round((1e6 * cpuSeconds) / count),
    'CPU against the loop': cpu.toFixed(2),
    '': missed ? 'MISSED' : '',
  };
}
