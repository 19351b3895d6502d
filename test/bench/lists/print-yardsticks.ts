/**
 * Prints a list's speed beside other programs': `npm run bench:yardsticks [wallets] [bytes]`, which needs nginx; with `--readme` as
 * a third word the README's table is made of it. `npm run bench:yardsticks waiting [wallets] [a second]` prints, in two minutes, the
 * CPU of a list that mostly waits, with and without a journal, and how often its main thread polls (twice for a timer, the second
 * time without a wait) and brings a file to the disk. With `waiting 50 0.16667`, ten wallets a minute, it takes five.
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
const MAX_WAITING: Readonly<Record<string, number>> = { 'riskcli --jsonl': 1.25 };

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
  const aSecond = (calls: number | undefined) =>
    calls === undefined ? 'strace is not there' : (calls / seconds).toFixed(1);
  const rows = timed.map(({ what, wallets: count, cpuSeconds, cpuRatios, calls }) => ({
    what,
    'CPU us a wallet, beyond the start': inMicroseconds(cpuSeconds, count),
    'CPU against the loop': withSpread(cpuRatios),
    'polls a second': aSecond(calls?.polls),
    'syncs a second': aSecond(calls?.syncs),
    '': median(cpuRatios) > (MAX_WAITING[what] ?? Number.POSITIVE_INFINITY) ? 'MISSED' : '',
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

function inMicroseconds(seconds: readonly number[], wallets: number): string {
  const [middle, least, most] = [median(seconds), seconds[0], seconds.at(-1)].map((value = Number.NaN) =>
    Math.round((1e6 * value) / wallets),
  );
  return `${middle} (${least} to ${most})`;
}

/** The median, and the least and the most. */
function withSpread(ratios: readonly number[]): string {
  return `${median(ratios).toFixed(2)} (${ratios[0]?.toFixed(2)} to ${ratios.at(-1)?.toFixed(2)})`;
}
