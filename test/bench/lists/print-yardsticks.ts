/**
 * Prints a list's speed beside other programs': `npm run bench:yardsticks [wallets] [bytes]`, which needs nginx; with `--readme` as
 * a third word the README's table is made of it. `npm run bench:yardsticks waiting [wallets] [a second]` prints, in two minutes, the
 * CPU of a list that mostly waits, and how often its main thread polls: twice for a timer, the second time without a wait. With
 * `waiting 50 0.16667`, ten wallets a minute, it takes five.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { readmeTable, withTable } from './readme-table.ts';
import { timeWaiting } from './waiting.ts';
import { available, median, path, type Timed, timeYardsticks } from './yardsticks.ts';

const words = process.argv.slice(2);
const isWaiting = words[0] === 'waiting';

/** What riskcli may take, as a multiple of the bare loop. */
const LIMITS: Readonly<Record<string, { readonly wall: number; readonly cpu: number }>> = {
  'riskcli --jsonl': { wall: 1.6, cpu: 2 },
  'riskcli -o x.csv': { wall: 2, cpu: Number.POSITIVE_INFINITY },
};

/** What riskcli's list that waits may take beyond its start, as a multiple of the loop that waits. */
const MAX_WAITING = 1.5;

const folder = mkdtempSync(join(tmpdir(), 'riskcli-bench-'));
try {
  await (isWaiting ? printWaiting(words.slice(1)) : printYardsticks(words));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function printYardsticks([wallets = '50000', bytes = '1000', readme]: readonly string[]): Promise<void> {
  if (!available('nginx')) throw new Error('this benchmark needs nginx');
  const timed = await timeYardsticks({ folder, wallets: Number(wallets), bytes: Number(bytes) });
  console.table(timed.map(figures));
  if (readme !== '--readme') return;
  const machine = {
    processor: cpus()[0]?.model ?? 'unknown',
    cores: availableParallelism(),
    node: process.versions.node,
  };
  const file = path('README.md');
  writeFileSync(file, withTable(readFileSync(file, 'utf8'), readmeTable(timed, machine)));
}

async function printWaiting([wallets = '1000', perSecond = '10']: readonly string[]): Promise<void> {
  const timed = await timeWaiting({ folder, wallets: Number(wallets), perSecond: Number(perSecond) });
  const seconds = Number(wallets) / Number(perSecond);
  const rows = timed.map(({ what, wallets: count, cpuSeconds, cpuRatios, wakeUps }) => ({
    what,
    'CPU us a wallet': Math.round((1e6 * cpuSeconds) / count),
    'CPU beyond the start, seconds': cpuSeconds.toFixed(2),
    'CPU against the loop': withSpread(cpuRatios),
    'polls a second': wakeUps === undefined ? 'strace is not there' : (wakeUps / seconds).toFixed(1),
    '': median(cpuRatios) > MAX_WAITING ? 'MISSED' : '',
  }));
  if (rows.some((row) => row[''] !== '')) process.exitCode = 1;
  console.table(rows);
}

function figures({ what, wallets: count, seconds, cpuSeconds, wallRatios, cpuRatios }: Timed) {
  const [wall, cpu] = [median(wallRatios), median(cpuRatios)];
  const limit = LIMITS[what];
  const missed = limit !== undefined && (wall > limit.wall || cpu > limit.cpu);
  if (missed) process.exitCode = 1;
  return {
    what,
    'wallets/s': Math.round(count / median(seconds)),
    seconds: median(seconds),
    'wall against the loop': withSpread(wallRatios),
    'CPU us a wallet': Math.round((1e6 * median(cpuSeconds)) / count),
    'CPU against the loop': withSpread(cpuRatios),
    '': missed ? 'MISSED' : '',
  };
}

/** The median, and the least and the most. */
function withSpread(ratios: readonly number[]): string {
  return `${median(ratios).toFixed(2)} (${ratios[0]?.toFixed(2)} to ${ratios.at(-1)?.toFixed(2)})`;
}
