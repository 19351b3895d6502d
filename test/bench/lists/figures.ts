/** Long lists against a sandbox without limits and without latency: what is measured is riskcli alone. */
import { closeSync, createReadStream, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { SANDBOX_BASE } from '../../../src/journal/journal.ts';
import { encodeRecord } from '../../../src/journal/record.ts';
import { type Measured, measure, startSandboxProcess } from '../../fixtures/cli/measure.ts';
import { address } from '../../fixtures/place/wallets.ts';

export interface Stage {
  /** An empty folder with room for a journal of all rows: 1.4 kB each. */
  readonly folder: string;
  readonly rows: number;
}

export interface Figure {
  readonly what: string;
  readonly rows: number;
  readonly requests: number;
  readonly seconds: number;
  readonly peakMb: number;
}

/** What a list of a million may have in memory. */
export const MAX_MB = 200;

export function manyRows(stage: Stage): Promise<Figure> {
  const distinct = stage.rows / 10;
  return scoreList(stage, { what: `${stage.rows} rows, ${distinct} wallets`, distinct, format: 'csv' });
}

export function manyRowsAsJsonLines(stage: Stage): Promise<Figure> {
  const distinct = stage.rows / 10;
  return scoreList(stage, { what: `${stage.rows} rows, ${distinct} wallets, --jsonl`, distinct, format: 'jsonl' });
}

/** The same rows into three files, one of them a page. */
export function manyRowsIntoFiles(stage: Stage): Promise<Figure> {
  const distinct = stage.rows / 10;
  return scoreList(stage, {
    what: `${stage.rows} rows, into three files`,
    distinct,
    format: 'csv',
    others: ['b.jsonl', 'c.html'],
  });
}

/** With as many in flight as the fastest plan ever needs: 200 a second, 5 s an answer (contract, sections 4.2 and 8). */
export function manyWallets(stage: Stage): Promise<Figure> {
  const what = `${stage.rows} wallets, 1,000 in flight`;
  return scoreList(stage, { what, distinct: stage.rows, format: 'csv', concurrency: 1_000 });
}

/** With as many in flight as there can be: 2,000. */
export function manyWalletsAtOnce(stage: Stage): Promise<Figure> {
  return scoreList(stage, { what: `${stage.rows} wallets, 2,000 in flight`, distinct: stage.rows, format: 'csv' });
}

interface List {
  readonly what: string;
  readonly distinct: number;
  readonly format: 'csv' | 'jsonl';
  readonly concurrency?: number;
  /** Files that are written besides. */
  readonly others?: readonly string[];
}

async function scoreList(
  { folder, rows }: Stage,
  { what, distinct, format, concurrency, others = [] }: List,
): Promise<Figure> {
  await using sandbox = await startSandboxProcess(['--plan', 'enterprise', '--latency', '0']);
  writeLines(join(folder, 'list.txt'), { count: rows, line: (i) => address(i % distinct) });
  const output = `scored.${format}`;
  const args = ['profile', '-f', 'list.txt', ...[output, ...others].flatMap((file) => ['-o', file])];
  if (concurrency !== undefined) args.push('--concurrency', String(concurrency));
  const measured = await measure(args, { cwd: folder, env: sandbox.env });
  await check(measured, { output: join(folder, output), rows, distinct });
  return { what, rows, requests: distinct, seconds: measured.seconds, peakMb: measured.peakMb };
}

interface FromJournal {
  readonly open: Figure;
  readonly resumed: Figure;
  readonly sorted: Figure;
  readonly top: Figure;
}

/**
 * The journal of a list that was stopped at its last row, documents of 1 kB: first only opened, then made an output of, in
 * the list's order and in another one.
 */
export async function resume({ folder, rows }: Stage): Promise<FromJournal> {
  const journal = join(folder, 'j');
  writeLines(journal, {
    count: rows + 1,
    line: (i) => (i === 0 ? `{"riskcli_journal":1,"base_url":"${SANDBOX_BASE}"}` : journalLine(i - 1)),
  });
  writeLines(join(folder, 'one.txt'), { count: 1, line: address });
  writeLines(join(folder, 'list.txt'), { count: rows, line: address });
  const stage = { cwd: folder, env: {} };
  const kept = ['--journal', 'j', '--sandbox', '--csv'];
  const opened = await measure(['profile', '-f', 'one.txt', '--dry-run', ...kept], stage);
  if (opened.exitCode !== 0) throw new Error(opened.stderr);
  const measured = await measure(['profile', '-f', 'list.txt', '-o', 'scored', ...kept], stage);
  await check(measured, { output: join(folder, 'scored'), rows, distinct: rows });
  const shape = ['--fail-if', 'low: _meta.score < 400', '--sort', 'total_collateral_usd:desc'];
  const sorted = await measure(['profile', '-f', 'list.txt', '-o', 'sorted', ...kept, ...shape], stage);
  await checkSorted(sorted, { output: join(folder, 'sorted'), rows });
  const top = await measure(['profile', '-f', 'list.txt', '-o', 'top', ...kept, ...shape, '--top', '100'], stage);
  await checkSorted(top, { output: join(folder, 'top'), rows: 100 });
  const facts = { rows, requests: 0 };
  return {
    sorted: { what: '  the same with --fail-if and --sort', ...facts, seconds: sorted.seconds, peakMb: sorted.peakMb },
    top: { what: '  the same with --top 100', ...facts, seconds: top.seconds, peakMb: top.peakMb },
    open: { what: `open a journal of ${rows}`, ...facts, seconds: opened.seconds, peakMb: opened.peakMb },
    resumed: { what: `${rows} rows from it`, ...facts, seconds: measured.seconds, peakMb: measured.peakMb },
  };
}

const PADDING = 'x'.repeat(900);

function journalLine(i: number): string {
  const score = '"defi_score":{"defi_score":474}';
  const text = `{"wallet_address":"${address(i)}","total_collateral_usd":${(i * 7_919) % 1_000_003}.5,${score},"note":"${PADDING}"}`;
  return encodeRecord(address(i), { answeredAt: Date.UTC(2025, 0, 1), text })
    .toString()
    .trimEnd();
}

export function writeLines(
  path: string,
  { count, line }: { readonly count: number; readonly line: (i: number) => string },
): void {
  const fd = openSync(path, 'w');
  for (let from = 0; from < count; from += 1000) {
    const lines = Array.from({ length: Math.min(1000, count - from) }, (_, i) => line(from + i));
    writeSync(fd, `${lines.join('\n')}\n`);
  }
  closeSync(fd);
}

interface Expected {
  readonly output: string;
  readonly rows: number;
  readonly distinct: number;
}

/** Every row must be there, in the order of the list. */
async function check({ exitCode, stderr }: Measured, { output, rows, distinct }: Expected): Promise<void> {
  if (exitCode !== 0) throw new Error(`exit ${exitCode}: ${stderr}`);
  let row = 0;
  for await (const line of createInterface({ input: createReadStream(output) })) {
    if (line.startsWith('wallet_address,')) continue;
    if (!line.includes(address(row % distinct))) throw new Error(`row ${row + 1} is ${line}`);
    row += 1;
  }
  if (row !== rows) throw new Error(`${row} rows of ${rows}`);
}

/** The rows must be there, the largest first. */
async function checkSorted(
  { exitCode, stderr }: Measured,
  { output, rows }: Pick<Expected, 'output' | 'rows'>,
): Promise<void> {
  if (exitCode !== 0) throw new Error(`exit ${exitCode}: ${stderr}`);
  let row = 0;
  let last = Number.POSITIVE_INFINITY;
  for await (const line of createInterface({ input: createReadStream(output) })) {
    if (line.startsWith('wallet_address,')) continue;
    const collateral = Number(line.split(',')[2]);
    if (!(collateral <= last)) throw new Error(`row ${row + 1} is ${line}`);
    last = collateral;
    row += 1;
  }
  if (row !== rows) throw new Error(`${row} rows of ${rows}`);
}
