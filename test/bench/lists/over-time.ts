/** What it takes to look back: two runs beside each other, a journal without what is superseded. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SANDBOX_BASE } from '../../../src/journal/journal.ts';
import { encodeRecord } from '../../../src/journal/record.ts';
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
export async function pruneJournal({ folder, rows }: Stage): Promise<Figure> {
  const wallets = Math.ceil(rows / 10);
  writeLines(join(folder, 'j'), {
    count: rows + 1,
    line: (i) => (i === 0 ? `{"riskcli_journal":1,"base_url":"${SANDBOX_BASE}"}` : answerOf(i - 1, wallets)),
  });
  const stage = { cwd: folder, env: {} };
  const journal = ['--journal', 'j'];
  const prune = await measure(['journal', 'prune', ...journal, '--json'], stage);
  if (JSON.parse(prune.stdout).answers_left !== wallets) throw new Error(prune.stdout + prune.stderr);
  return { ...figureOf(prune), what: `prune of a journal of ${rows} answers`, rows };
}

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
