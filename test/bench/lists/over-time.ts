/** What it takes to look back: two runs beside each other, one wallet in a long journal, a journal without what is old. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { processHost } from '../../../src/host/process-host.ts';
import { SANDBOX_BASE } from '../../../src/journal/journal.ts';
import { encodeRecord } from '../../../src/journal/record.ts';
import { openReviewMemory } from '../../../src/journal/review-memory.ts';

import { measure } from '../../fixtures/cli/measure.ts';
import { address } from '../../fixtures/place/wallets.ts';
import { type Figure, type Stage, writeLines } from './figures.ts';

/** What a diff of two runs of a million may have in memory. */
export const MAX_DIFF_MB = 300;

const PADDING = 'x'.repeat(900);
const HEADER = 'wallet_address,status,total_collateral_usd,score,answered_at,warning,error';
const AT = '2025-01-31T12:00:00.000Z';

type RunFormat = 'csv' | 'jsonl';

/** A row as riskcli writes it; its document has 1 kB. */
function rowOf(format: RunFormat, { wallet, score }: { readonly wallet: string; readonly score: number }): string {
  if (format === 'csv') return `${wallet},scored,${score}.50,${score},${AT},,`;
  const meta = `"_meta":{"line":1,"input":"${wallet}","status":"scored","score":${score},"answered_at":"${AT}"}`;
  const answer = `"total_collateral_usd":${score}.50,"defi_score":{"defi_score":${score}},"note":"${PADDING}"`;
  return `{"wallet_address":"${wallet}",${answer},${meta}}`;
}

/** Two runs of so many wallets, of which a tenth has another score; one in a thousand is gone, and as many are new. */
export async function diffRuns({ folder, rows }: Stage, format: RunFormat): Promise<Figure> {
  const shift = Math.ceil(rows / 1_000);
  const score = (wallet: number, isNew: boolean) => 400 + (wallet % 300) + (isNew && wallet % 10 === 0 ? 7 : 0);
  for (const [name, from] of [
    ['old', 0],
    ['new', shift],
  ] as const) {
    const line = (i: number) => rowOf(format, { wallet: address(from + i), score: score(from + i, name === 'new') });
    const head = format === 'csv' ? 1 : 0;
    writeLines(join(folder, name), { count: rows + head, line: (i) => (i < head ? HEADER : line(i - head)) });
  }
  const measured = await measure(['diff', 'old', 'new', '-o', 'changes.csv'], { cwd: folder, env: {} });
  const changed = Array.from({ length: rows - shift }, (_, i) => shift + i).filter(
    (wallet) => wallet % 10 === 0,
  ).length;
  checkLines(join(folder, 'changes.csv'), { lines: 1 + changed + 2 * shift, told: measured.stderr });
  const { seconds, peakMb } = measured;
  return { what: `diff of two runs of ${rows}, ${format}`, rows: 2 * rows, requests: 0, seconds, peakMb };
}

/** Ten answers a wallet, documents of 1 kB. */
export async function journalOverTime({ folder, rows }: Stage): Promise<readonly Figure[]> {
  const wallets = Math.ceil(rows / 10);
  writeLines(join(folder, 'j'), {
    count: rows + 1,
    line: (i) => (i === 0 ? `{"riskcli_journal":1,"base_url":"${SANDBOX_BASE}"}` : answerOf(i - 1, wallets)),
  });
  const stage = { cwd: folder, env: {} };
  const journal = ['--journal', 'j'];
  const history = await measure(['journal', 'history', ...journal, address(3), '--csv'], stage);
  if (history.stdout.split('\n').length !== 2 + rows / wallets) throw new Error(history.stdout + history.stderr);
  const prune = await measure(['journal', 'prune', ...journal, '--keep', '1', '--json'], stage);
  if (JSON.parse(prune.stdout).answers_left !== wallets) throw new Error(prune.stdout + prune.stderr);
  return [
    { ...figureOf(history), what: `history out of a journal of ${rows} answers`, rows },
    { ...figureOf(prune), what: 'prune of the same', rows },
  ];
}

const DAY_MS = 86_400_000;

/** What a review of a million may have in memory, and take. */
export const MAX_REVIEW = { seconds: 60, mb: 250 };
/** The same into three files: two runs are compared for the page, each with an index of wallets of its own. */
export const MAX_REVIEW_FILES = { mb: 330 };

/** The same into three files, of which the page compares all of it with what the journal had then. */
export async function reviewIntoFiles(stage: Stage): Promise<Figure> {
  const outputs = ['a.csv', 'b.jsonl', 'c.html'].flatMap((file) => ['-o', file]);
  return { ...(await reviewFromJournal(stage, outputs)), what: '  the same into three files' };
}

/** A review a week after the last one, for which all was asked already: a tenth of the wallets has another score. */
export async function reviewFromJournal({ folder, rows }: Stage, more: readonly string[] = []): Promise<Figure> {
  const [now, list] = [Date.now(), join(folder, 'list.csv')];
  const answer = (i: number, at: number, score: number) =>
    encodeRecord(address(i), { answeredAt: at, text: reviewedDocument(i, score) })
      .toString()
      .trimEnd();
  writeLines(join(folder, 'list.csv.journal'), {
    count: 2 * rows + 1,
    line(i) {
      if (i === 0) return `{"riskcli_journal":2,"base_url":"${SANDBOX_BASE}","stays":true}`;
      const [wallet, isNew] = [(i - 1) % rows, i > rows];
      const score = 400 + (wallet % 300) + (isNew && wallet % 10 === 0 ? wallet % 17 : 0);
      return answer(wallet, now - (isNew ? 1 : 7 * 24) * 3_600_000, score);
    },
  });
  writeLines(list, { count: rows + 1, line: (i) => (i === 0 ? 'name,wallet' : `Customer ${i},${address(i - 1)}`) });
  const memory = await openReviewMemory({
    journal: `${list}.journal`,
    list: 'list.csv',
    at: now - 6 * DAY_MS,
    host: processHost(),
    onDamage() {},
  });
  for (let i = 0; i < rows; i++) memory.list({ id: address(i), label: `Customer ${i + 1}` });
  const judged = { rules: '', invalid: 0 };
  await memory.commit({
    endedAt: now - 6 * DAY_MS,
    begunAt: now - 6 * DAY_MS,
    baseline: undefined,
    judged,
    baselineJudged: judged,
  });
  const words = ['review', 'list.csv', '--sandbox', '--fail-if', 'low: score < 410', '--json', ...more];
  const measured = await measure(words, { cwd: folder, env: {} });
  if (measured.stdout === '') throw new Error(measured.stderr);
  const told = JSON.parse(measured.stdout);
  if (told.from_journal !== rows || told.changed_most.rows.length !== 10) throw new Error(measured.stdout);
  return { ...figureOf(measured), what: `review of ${rows} wallets from a journal`, rows };
}

const reviewedDocument = (i: number, score: number) =>
  `{"wallet_address":"${address(i)}","total_collateral_usd":${i}.5,"defi_score":{"defi_score":${score},"risk_level":"${score < 500 ? 'High' : 'Low'} Risk"},"note":"${PADDING}"}`;

const figureOf = ({ seconds, peakMb }: Figure | Awaited<ReturnType<typeof measure>>) => ({
  requests: 0,
  seconds,
  peakMb,
});

function answerOf(i: number, wallets: number): string {
  const wallet = address(i % wallets);
  const round = Math.floor(i / wallets);
  const text = `{"wallet_address":"${wallet}","total_collateral_usd":1.5,"defi_score":{"defi_score":${400 + round}},"note":"${PADDING}"}`;
  return encodeRecord(wallet, { answeredAt: Date.UTC(2025, 0, 1 + round), text })
    .toString()
    .trimEnd();
}

function checkLines(path: string, { lines, told }: { readonly lines: number; readonly told: string }): void {
  const found = readFileSync(path, 'latin1').split('\n').length - 1;
  if (found !== lines) throw new Error(`${found} lines of ${lines}: ${told}`);
}
