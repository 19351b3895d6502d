/** `riskcli journal history`: what the service has said of one wallet, and when. */

import { chooseFormat } from '../../cli/choose-format.ts';
import { type Options, subcommand } from '../../cli/command.ts';
import { all } from '../../cli/flag.ts';
import { RECORD_FORMATS } from '../../cli/formats.ts';
import type { Context } from '../../context.ts';
import type { Node } from '../../document/node.ts';
import { memberOf } from '../../document/path.ts';
import { cellText } from '../../document/write.ts';
import { ListError } from '../../errors.ts';
import { shownPath } from '../../files/file-error.ts';
import { writeAll } from '../../files/stream.ts';
import { takeTurn } from '../../host/clock.ts';
import { withHistory } from '../../journal/history.ts';
import { storedRow } from '../../journal/stored-row.ts';
import type { FlatRecord } from '../../output/record.ts';
import { freeNames } from '../../output/rows/row-writer.ts';
import { type Decimal, parseDecimal, subtractDecimals } from '../../row/decimal.ts';
import { createFieldWatch, type Field, missingFieldsError, parseFieldList } from '../../row/fields.ts';
import { FIELD_PATHS } from '../../row/paths/own-names.ts';
import { findIn, pick, type Row, rowNode } from '../../row/row.ts';
import { resolveSettings } from '../../settings/resolve.ts';
import { columnsOf } from '../../text/width.ts';
import { checkWallet } from '../shared/check-wallet.ts';
import { checksumFlag } from '../shared/flags.ts';
import { printRecords, recordFlags } from '../shared/print-records.ts';
import { journalArgument, journalFile, journalFlag, walletsIn, warnOfDamage } from './file.ts';

const flags = {
  journal: journalFlag,
  checksum: checksumFlag,
  fields: all(parseFieldList, {
    value: 'PATHS',
    group: 'Output',
    help: 'more columns: a,level=b.c[0],d?',
    completes: FIELD_PATHS,
    commas: true,
  }),
  ...recordFlags,
};

export const history = subcommand({
  name: 'history',
  summary: 'Show the dated answers of one wallet',
  description: `Show what the service has said of one wallet, oldest first: when, the score, how
it differs from the score before (exactly), and the collateral. A terminal gets a
small chart of the scores as well.`,
  args: [journalArgument, { name: 'wallet', help: '0x address' }],
  flags,
  examples: [
    { line: 'riskcli journal history answers.journal "$WALLET"', does: 'One wallet over time' },
    {
      line: 'riskcli journal history j "$WALLET" --fields defi_score.risk_level',
      does: 'The same with one more column',
    },
  ],
  excessHint: 'name the journal, and then one wallet',
  run: showHistory,
});

type HistoryOptions = Options<typeof flags>;

async function showHistory(options: HistoryOptions, context: Context): Promise<undefined> {
  const { fields } = options;
  const names = freeNames(
    USUAL,
    fields.map(({ name }) => name),
  );
  const watch = createFieldWatch(fields);
  const scores: number[] = [];
  await withRows(options, context, async (rows) => {
    // Nothing is printed before the last answer was read.
    for await (const { row, score } of scored(rows)) {
      if (row.document && watch.isWaiting) watch.observe(rowNode(row));
      scores.push(score ? Number(cellText(row.score)) : Number.NaN);
    }
    const records = { [Symbol.asyncIterator]: () => recordsOf(rows, fields, names) };
    await printRecords(records, { options, context, columns: [...USUAL, ...names] });
  });
  const isRead = context.stdout.isTTY && chooseFormat(options, { choices: RECORD_FORMATS }) === 'table';
  const chart = isRead ? chartLine(scores, columnsOf(context.stdout)) : undefined;
  if (chart !== undefined) await writeAll(context.stdout, `\n${chart}\n`);
  const missing = watch.missing();
  if (missing.length > 0) throw missingFieldsError(missing);
}

/** Reads the answers again on each pass: they may be long, and many. */
type HistoryRows = AsyncIterable<Row>;

/** UTF-16 units of answers read in one turn of the event loop: signals are handled in between. */
const TURN_LENGTH = 1024 * 1024;

/** Calls `use` with the wallet's answers. @throws ListError when the journal has none */
async function withRows(
  options: HistoryOptions,
  context: Context,
  use: (rows: HistoryRows) => Promise<void>,
): Promise<void> {
  const file = journalFile(options, context);
  const settings = resolveSettings(options, context);
  const [input = ''] = walletsIn(options);
  const wallet = await checkWallet(input, {
    checksum: options.checksum,
  });
  const scorePath = settings.score.value;
  await withHistory(wallet.id, file, async ({ answers, count, damagedLines }) => {
    warnOfDamage(damagedLines, file.path, context);
    if (count === 0) {
      throw new ListError(`the journal ${shownPath(file.path)} has no answer for ${wallet.address}`, {
        code: 'no_answer',
        hint: 'check the address; riskcli journal show says what the journal contains',
      });
    }
    async function* rows(): AsyncGenerator<Row> {
      let [line, length] = [0, 0];
      for (const stored of answers()) {
        line += 1;
        length += 'text' in stored ? stored.text.length : 0;
        if (length > TURN_LENGTH) {
          await takeTurn(context.signal());
          length = 0;
        }
        const row = storedRow({ line, input }, { wallet, stored, scorePath });
        yield { ...row, answeredAt: new Date(stored.answeredAt).toISOString() };
      }
    }
    await use({ [Symbol.asyncIterator]: rows });
  });
}

async function* scored(rows: HistoryRows): AsyncGenerator<{ readonly row: Row; readonly score: Decimal | undefined }> {
  for await (const row of rows) yield { row, score: row.score && parseDecimal(cellText(row.score)) };
}

async function* recordsOf(
  rows: HistoryRows,
  fields: readonly Field[],
  names: readonly string[],
): AsyncGenerator<FlatRecord> {
  let before: Decimal | undefined;
  for await (const { row, score } of scored(rows)) {
    const change = before && score && subtractDecimals(score, before);
    before = score ?? before;
    const picked = pick(findIn(row), fields).map(([, node], i) => [names[i] ?? '', node ?? null] as const);
    yield {
      answered_at: row.answeredAt ?? null,
      status: row.status,
      score: row.score ?? null,
      change: change === undefined ? null : number(change),
      total_collateral_usd: (row.document && memberOf(row.document, 'total_collateral_usd')) ?? null,
      ...Object.fromEntries(picked),
    };
  }
}

const USUAL = ['answered_at', 'status', 'score', 'change', 'total_collateral_usd'];

const number = (spelling: string): Node => ({ kind: 'number', spelling });

const BLOCKS = '▁▂▃▄▅▆▇█';
/** For a score that is no number. */
const GAP = '·';

/**
 * One character a score (NaN for one that is no number), the lowest and the highest behind them; of more than fit in
 * `width` columns the last ones. Undefined where there are not two numbers to compare. A chart needs no exact decimals:
 * doubles will do.
 */
function chartLine(scores: readonly number[], width: number): string | undefined {
  const finite = scores.filter(Number.isFinite);
  if (finite.length < 2) return undefined;
  // Not as arguments of one call: there may be a hundred thousand.
  const lowest = finite.reduce((min, score) => Math.min(min, score));
  const highest = finite.reduce((max, score) => Math.max(max, score));
  const caption = `  ${lowest} to ${highest}`;
  const shown = scores.slice(-Math.max(2, width - caption.length));
  const block = (value: number) => {
    if (!Number.isFinite(value)) return GAP;
    const share = highest === lowest ? 0.5 : (value - lowest) / (highest - lowest);
    return BLOCKS[Math.round(share * (BLOCKS.length - 1))] ?? GAP;
  };
  return `${shown.map(block).join('')}${caption}`;
}
