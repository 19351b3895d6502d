/** A report as text, on a terminal and on a pipe, with the figures of the page. */
import { visible } from '../../text/escape.ts';
import { truncate, wrap } from '../../text/width.ts';
import { groupDigits } from '../../text/words.ts';
import { SYNTHETIC } from '../review/letter.ts';
import { barLines } from '../terminal/bars.ts';
import { type Drawing, drawingOn, moreLines, type Terminal } from '../terminal/lines.ts';
import { Table, type TableColumn } from '../terminal/table.ts';
import { MAX_LABEL } from '../terminal/wallet-names.ts';
import { roundedDollars } from '../value-text.ts';
import { percent, rangeText } from './amounts.ts';
import type { Distribution } from './distribution.ts';
import { type Figures, fieldOf } from './figures.ts';
import { rulesOf } from './page-data.ts';
import { fewText, markedRows, quantileTexts, type Report, storyText, unreadText } from './report.ts';

const MAX_MATCHES = 20;

/** The report as text that ends in a newline. */
export async function summaryText(report: Report, terminal: Terminal): Promise<string> {
  const drawing = await drawingOn(terminal);
  const { figures } = report;
  const sections = [
    openingLines(report, drawing),
    rulesLines(figures, drawing),
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

function summaryTable(
  columns: readonly TableColumn[],
  rows: readonly (readonly string[])[],
  drawing: Drawing,
): readonly string[] {
  const table = new Table(columns, drawing);
  for (const row of rows) table.observe(row);
  return [table.head(), ...rows.map((row) => table.line(row))];
}

const name = (head: string): TableColumn => ({ head, cut: 'end', minWidth: 8, isNumber: false });
/** A column of numbers; its head may be cut, its numbers are not. */
const numberColumn = (head: string): TableColumn => ({
  head,
  isNumber: true,
  cut: 'end',
  minWidth: Math.min(10, head.length),
});

function rulesLines({ rules, all }: Figures, drawing: Drawing): readonly string[] {
  if (rules.length === 0) return [];
  const lines = rules.map((rule) => [
    visible(rule.level === 'watch' ? `${rule.name} (watch)` : rule.name),
    ...[rule.matched, rule.unjudged, rule.excused].map((count) => groupDigits(count)),
    percent(rule.matched, all),
  ]);
  return summaryTable(
    [name('WHAT MATCHED'), ...['WALLETS', 'NOT JUDGED', 'EXCUSED', 'SHARE'].map(numberColumn)],
    lines,
    drawing,
  );
}

function matchedLines(report: Report, drawing: Drawing): readonly string[] {
  const { listed, figures } = report;
  const shown = markedRows(report, 'matched')
    .slice(0, MAX_MATCHES)
    .flatMap((index) => listed[index] ?? []);
  if (shown.length === 0) return [];
  const hasLabels = shown.some(({ label }) => label !== undefined);
  const lines = shown.map((row) => [
    ...(hasLabels ? [row.label ?? ''] : []),
    visible(row.wallet),
    visible(row.score ?? '-'),
    row.collateral === undefined ? '-' : roundedDollars({ kind: 'string', value: row.collateral }),
    visible(rulesOf(row, 'matched').join(', ')),
  ]);
  const columns: readonly TableColumn[] = [
    // The wallet is shortened before the label.
    ...(hasLabels ? [{ ...name('LABEL'), minWidth: MAX_LABEL }] : []),
    { head: 'WALLET', cut: 'middle', minWidth: 13 },
    numberColumn('SCORE'),
    numberColumn('COLLATERAL'),
    name('MATCHED'),
  ];
  const left = figures.marked.matched - shown.length;
  return [...summaryTable(columns, lines, drawing), ...moreLines(left, drawing)];
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
