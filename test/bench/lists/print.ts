/**
 * Prints what long lists take: `npm run bench:lists [rows]`, a million when absent; about a quarter of an hour then, and 4 GB of
 * disk for the time being. Fails when a figure is not what riskcli promises. `npm run bench:lists documents` prints what
 * answers take beside JSON.parse and no more, in half a minute; `npm run bench:lists over-time [rows]` what diff and journals do.
 *
 * It is bundled into a folder three levels down, like test/fixtures/cli, so that the paths in there hold.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { documentFigures, SIZES } from './documents.ts';
import {
  type Figure,
  MAX_MB,
  manyRows,
  manyRowsAsJsonLines,
  manyWallets,
  manyWalletsAtOnce,
  resume,
  type Stage,
} from './figures.ts';
import { diffRuns, MAX_DIFF_MB, pruneJournal } from './over-time.ts';

/** What opening a journal of a million may take. */
const MAX_OPEN_SECONDS = 10;

const words = process.argv.slice(2);
const only = words.find((word) => !/^\d+$/.test(word));
const rows = Number(words.find((word) => word !== only) ?? 1_000_000);

/** Figures of `run` in a folder that is gone afterwards. */
async function inFolder<T>(run: (stage: Stage) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'riskcli-bench-'));
  try {
    return await run({ folder, rows });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const line = (cells: readonly string[]) =>
  cells.map((cell, i) => (i === 0 ? cell.padEnd(44) : cell.padStart(11))).join('');

interface Limits {
  readonly seconds?: number;
  readonly mb?: number;
}

function print({ what, seconds, peakMb, ...figure }: Figure, most: Limits = {}): void {
  const perSecond = (count: number) => (count / seconds).toFixed(0);
  const missed = peakMb > (most.mb ?? MAX_MB) || seconds > (most.seconds ?? Number.POSITIVE_INFINITY);
  if (missed) process.exitCode = 1;
  const cells = [seconds.toFixed(1), perSecond(figure.rows), perSecond(figure.requests), peakMb.toFixed(0)];
  console.log(line([what, ...cells]), missed ? '  MISSED' : '');
}

async function printLists(): Promise<void> {
  print(await inFolder(manyRows));
  print(await inFolder(manyRowsAsJsonLines));
  const { open, resumed, sorted, top } = await inFolder(resume);
  print(open, { seconds: MAX_OPEN_SECONDS });
  for (const figure of [resumed, sorted, top]) print(figure);
  print(await inFolder(manyWallets));
  print(await inFolder(manyWalletsAtOnce));
}

function printDocuments(): void {
  console.log(line(["times JSON's own, characters", ...SIZES.map(String)]));
  for (const { what, ratios } of documentFigures())
    console.log(line([what, ...ratios.map((ratio) => ratio.toFixed(2))]));
}

async function printOverTime(): Promise<void> {
  for (const format of ['csv', 'jsonl'] as const) {
    print(await inFolder((stage) => diffRuns(stage, format)), { mb: MAX_DIFF_MB });
  }
  print(await inFolder(pruneJournal));
}

if (only === undefined || only === 'documents') printDocuments();
if (only !== 'documents') console.log(line(['', 'seconds', 'rows/s', 'requests/s', 'peak MB']));
if (only === undefined) await printLists();
if (only === undefined || only === 'over-time') await printOverTime();
