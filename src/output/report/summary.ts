/** A report as text, on a terminal and on a pipe, with the figures of the page. */
import { visible } from '../../text/escape.ts';
import { truncate, wrap } from '../../text/width.ts';
import { groupDigits } from '../../text/words.ts';
import { SYNTHETIC } from '../review/letter.ts';
import { barLines } from '../terminal/bars.ts';
import { type Drawing, drawingOn, moreLines, type Terminal } from '../terminal/lines.ts';
import type { RowColumn } from '../terminal/row-table.ts';
import { Table } from '../terminal/table.ts';
import { MAX_LABEL } from '../terminal/wallet-names.ts';
import { roundedDollars } from '../value-text.ts';
import { percent, rangeText } from './amounts.ts';
import type { Distribution } from './distribution.ts';
import { type Figures, fieldOf, type RuleTotals } from './figures.ts';
import { type PageRow, rulesOf } from './page-data.ts';
import { fewText, markedRows, quantileTexts, type Report, storyText, unreadText } from './report.ts';

const MAX_MATCHES = 20;

/** The report as text that ends in a newline. */
export async function summaryText(report: Report, terminal: Terminal): Promise<string> {
  const drawing = await drawingOn(terminal);
  const { figures } = report;
  const sections = [
    openingLines(report, drawing),
    rulesLines(report, drawing),
    matchedLines(report, drawing),
    ...figures.distributions.map((distribution) => distributionLines(distribution, drawing)),
    ...figures.texts.map((share) => shareLines(share, drawing)),
  ];
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

function openingLines({ origin, figures }: Report, { chalk, width }: Drawing): readonly string[] {
  const story = storyText(figures);
  const synthetic = origin.isSandbox ? wrap(SYNTHETIC, width) : [];
  return [...synthetic, ...wrap(origin.title, width).map((line) => chalk.bold(line)), ...wrap(story, width)];
}

function tableLines<R>(columns: readonly RowColumn<R>[], rows: readonly R[], drawing: Drawing): readonly string[] {
  const table = new Table(columns, drawing);
  const lines = rows.map((row) => columns.map(({ cell }) => cell(row)));
  for (const cells of lines) table.observe(cells);
  return [table.head(), ...lines.map((cells) => table.line(cells))];
}

const textColumn = { cut: 'end', minWidth: 8, isNumber: false } as const;
/** A column of numbers; its head may be cut, its numbers are not. */
const numberColumn = (head: string) =>
  ({ head, isNumber: true, cut: 'end', minWidth: Math.min(10, head.length) }) as const;

function rulesLines({ figures: { rules, all }, isReview }: Report, drawing: Drawing): readonly string[] {
  if (rules.length === 0) return [];
  const columns: readonly RowColumn<RuleTotals>[] = [
    {
      ...textColumn,
      head: isReview ? 'OPEN ALARMS' : 'WHAT MATCHED',
      cell: ({ name, level }) => visible(level === 'watch' ? `${name} (watch)` : name),
    },
    { ...numberColumn('WALLETS'), cell: ({ matched }) => groupDigits(matched) },
    { ...numberColumn('NOT JUDGED'), cell: ({ unjudged }) => groupDigits(unjudged) },
    { ...numberColumn('EXCUSED'), cell: ({ excused }) => groupDigits(excused) },
    { ...numberColumn('SHARE'), cell: ({ matched }) => percent(matched, all) },
  ];
  return tableLines(columns, rules, drawing);
}

function matchedLines(report: Report, drawing: Drawing): readonly string[] {
  const { listed, figures } = report;
  const shown = markedRows(report, 'matched')
    .slice(0, MAX_MATCHES)
    .flatMap((index) => listed[index] ?? []);
  if (shown.length === 0) return [];
  const columns: readonly RowColumn<PageRow>[] = [
    // The wallet is shortened before the label.
    { ...textColumn, head: 'LABEL', minWidth: MAX_LABEL, cell: ({ label = '' }) => label },
    { head: 'WALLET', cut: 'middle', minWidth: 13, cell: ({ wallet }) => visible(wallet) },
    { ...numberColumn('SCORE'), cell: ({ score = '-' }) => visible(score) },
    {
      ...numberColumn('COLLATERAL'),
      cell: ({ collateral }) =>
        collateral === undefined ? '-' : roundedDollars({ kind: 'string', value: collateral }),
    },
    {
      ...textColumn,
      head: report.isReview ? 'OPEN' : 'MATCHED',
      cell: (row) => visible(rulesOf(row, 'matched').join(', ')),
    },
  ];
  const hasLabels = shown.some(({ label }) => label !== undefined);
  const left = figures.marked.matched - shown.length;
  return [...tableLines(hasLabels ? columns : columns.slice(1), shown, drawing), ...moreLines(left, drawing)];
}

function distributionLines(distribution: Distribution, drawing: Drawing): readonly string[] {
  const { chalk, width } = drawing;
  const { measure, count, bins, unread } = distribution;
  const values = count + unread === 0 ? [fewText(distribution)] : quantileTexts(distribution);
  const bars = bins.map((bin) => ({ text: rangeText(measure, bin), count: bin.count }));
  return [
    chalk.bold(measure.toUpperCase()),
    ...[values.join(', '), visible(unreadText(distribution) ?? '')]
      .filter(Boolean)
      .flatMap((text) => wrap(text, width)),
    ...barLines(bars, { drawing, isRange: true, more: unread }),
  ];
}

function shareLines({ name, values }: Figures['texts'][number], drawing: Drawing): readonly string[] {
  const title = drawing.chalk.bold(truncate(visible(fieldOf(name)).toUpperCase(), drawing.width, drawing.ellipsis));
  const shown = values.map(({ text, count }) => ({ text: visible(text), count }));
  return [title, ...barLines(shown, { drawing, isRange: false })];
}
