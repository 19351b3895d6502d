/** Prints a list's speed beside other programs': `npm run bench:yardsticks [wallets] [bytes]`. Needs nginx. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { available, type Timed, timeYardsticks } from './yardsticks.ts';

const [wallets = '50000', bytes = '1000'] = process.argv.slice(2);
if (!available('nginx')) throw new Error('this benchmark needs nginx');

/** What riskcli may take, as a multiple of the bare loop. */
const LIMITS: Readonly<Record<string, { readonly wall: number; readonly cpu: number }>> = {
  'riskcli --jsonl': { wall: 1.6, cpu: 2 },
  'riskcli -o x.csv': { wall: 2, cpu: Number.POSITIVE_INFINITY },
};

const folder = mkdtempSync(join(tmpdir(), 'riskcli-bench-'));
try {
  const timed = await timeYardsticks({ folder, wallets: Number(wallets), bytes: Number(bytes) });
  const [bare] = timed;
  if (bare) console.table(timed.map((row) => figures(row, bare)));
} finally {
  rmSync(folder, { recursive: true, force: true });
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
