/** A report as text, on a terminal and on a pipe, with the figures of the page. */
import { visible } from '../../text/escape.ts';
import { displayWidth, padEnd, padStart, truncate, wrap } from '../../text/width.ts';
import { counted, grouped, withoutOrphan } from '../../text/words.ts';
import { type Drawing, drawingOn, type Terminal } from '../terminal/lines.ts';
import { type Column, Table } from '../terminal/table.ts';
import { createNamer, MAX_LABEL } from '../terminal/wallet-names.ts';
import { roundedDollars } from '../value-text.ts';
import { percent, rangeText, shortOf } from './amounts.ts';
import type { Changes, Flow, Move } from './figures/changes.ts';
import type { Figures } from './figures/collect.ts';
import type { RowGroup } from './figures/groups.ts';
import { quantiles } from './figures/measures.ts';
import { shareName } from './figures/shares.ts';
import type { Measure } from './page-data.ts';
import { type Distribution, distributionsOf, type Report, stabilityOf } from './report.ts';
import { groupNames, movesTitle, stabilityText, storyText, transitionText, valueText } from './statement.ts';

const MAX_MATCHES = 20;
const MAX_GROUPS = 40;
const MAX_PAIRS = 12;
const MAX_BAR = 40;

/** The report as text that ends in a newline. */
export async function summaryText(report: Report, terminal: Terminal): Promise<string> {
  const drawing = await drawingOn(terminal);
  const { figures, changes } = report;
  const sections = [
    openingLines(report, drawing),
    rulesLines(figures, drawing),
    matchedLines(report, drawing),
    groupsLines(figures, drawing),
    ...(changes ? changesSections(report, changes, drawing) : []),
    ...distributionsOf(report).map((distribution) => distributionLines(distribution, drawing)),
    ...figures.shares.map((share) => shareLines(share, drawing)),
  ];
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

function openingLines({ origin, figures }: Report, { chalk, width }: Drawing): readonly string[] {
  const story = `${counted(figures.rows, 'row')} of ${origin.source}${storyText(figures)}`;
  return [...wrap(origin.title, width).map((line) => chalk.bold(line)), ...withoutOrphan(wrap(story, width), width)];
}

/** The lines of a table; if heads take two lines, `above` is the first. */
function tableLines(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  drawing: Drawing,
  { above }: { readonly above?: readonly string[] } = {},
): readonly string[] {
  const table = new Table(columns, { ...drawing, isCut: true });
  for (const row of [...rows, ...(above ? [above] : [])]) table.observe(row);
  const first = above ? [drawing.chalk.bold(table.line(above))] : [];
  return [...first, table.head(), ...rows.map((row) => table.line(row))];
}

/** Whether `rows` fit without cutting. */
function haveRoom(columns: readonly Column[], rows: readonly (readonly string[])[], { width }: Drawing): boolean {
  const table = new Table(columns, { width });
  for (const row of rows) table.observe(row);
  return table.fits();
}

const name = (head: string): Column => ({ head, cut: 'end', minWidth: 8, isNumber: false });
/** A column of numbers; its head may be cut, its numbers are not. */
const number = (head: string): Column => ({ head, isNumber: true, cut: 'end', minWidth: Math.min(10, head.length) });

function rulesLines({ rules, rows }: Figures, drawing: Drawing): readonly string[] {
  if (rules.length === 0) return [];
  const lines = rules.map((rule) => [
    visible(rule.name),
    ...[rule.matched, rule.unjudged, rule.excused].map((count) => grouped(count)),
    percent(rule.matched, rows),
  ]);
  return tableLines([name('WHAT MATCHED'), ...['ROWS', 'NOT JUDGED', 'EXCUSED', 'SHARE'].map(number)], lines, drawing);
}

function matchedLines({ kept, worst, figures: { rules, marked } }: Report, drawing: Drawing): readonly string[] {
  const shown = worst.slice(0, MAX_MATCHES).flatMap((index) => kept[index]?.row ?? []);
  if (shown.length === 0) return [];
  const hasLabels = shown.some(({ label }) => label !== undefined);
  const lines = shown.map((row) => [
    ...(hasLabels ? [row.label ?? ''] : []),
    visible(row.wallet),
    row.score ?? '-',
    row.collateral === undefined ? '-' : amountText('collateral', row.collateral),
    (row.matched ?? []).map((rule) => visible(rules[rule]?.name ?? '')).join(', '),
  ]);
  const columns: readonly Column[] = [
    // The wallet is shortened before the label.
    ...(hasLabels ? [{ ...name('LABEL'), minWidth: MAX_LABEL }] : []),
    { head: 'WALLET', cut: 'middle', minWidth: 13 },
    number('SCORE'),
    number('COLLATERAL'),
    name('MATCHED'),
  ];
  const left = marked.matched - shown.length;
  return [...tableLines(columns, lines, drawing), ...moreLines(left, drawing)];
}

/** An amount of a row, as in the tables of lists. */
const amountText = (measure: Measure, value: string) =>
  measure === 'collateral' ? roundedDollars({ kind: 'string', value }) : visible(value);

const moreLines = (left: number, { chalk }: Drawing): readonly string[] =>
  left > 0 ? [chalk.dim(`and ${grouped(left)} more`)] : [];

function groupsLines({ groups, rows }: Figures, drawing: Drawing): readonly string[] {
  if (!groups) return [];
  const shown = groups.groups.slice(0, MAX_GROUPS);
  const left = groups.groups.length - shown.length;
  const median = ({ summaries }: RowGroup, measure: 'score' | 'collateral') => {
    const summary = summaries[measure];
    return summary ? shortOf(measure, summary.median) : '-';
  };
  const line = (group: RowGroup, what: string) => [
    what,
    grouped(group.rows),
    percent(group.rows, rows),
    grouped(group.matched),
    median(group, 'score'),
    median(group, 'collateral'),
  ];
  const lines = [
    ...shown.map((group) => line(group, groupNames.of(group))),
    ...(groups.others ? [line(groups.others, groupNames.others)] : []),
  ];
  const counts = ['ROWS', 'SHARE', 'MATCHED'];
  const medians = ['SCORE', 'COLLATERAL'];
  const whole = [`BY ${visible(groups.field)}`, ...counts, ...medians.map((head) => `MEDIAN ${head}`)];
  const columnsOf = ([first = '', ...rest]: readonly string[]) => [name(first), ...rest.map(number)];
  const uncut = whole.map((head): Column => ({ head }));
  const table = haveRoom(uncut, lines, drawing)
    ? tableLines(columnsOf(whole), lines, drawing)
    : tableLines(columnsOf([whole[0] ?? '', ...counts, ...medians]), lines, drawing, {
        above: ['', ...counts.map(() => ''), ...medians.map(() => 'MEDIAN')],
      });
  return [...table, ...moreLines(left, drawing)];
}

function changesSections(report: Report, changes: Changes, drawing: Drawing): readonly (readonly string[])[] {
  const { changed, added, removed, same } = changes.counts;
  const counts = `${grouped(changed)} changed, ${grouped(added)} added, ${grouped(removed)} removed, ${grouped(same)} same`;
  const psi = stabilityOf(report);
  const notes = [
    `against ${changes.baseline}: ${counts}`,
    ...(psi === undefined ? [] : [stabilityText(psi)]),
    ...changes.transitions.map(transitionText),
  ];
  return [
    [drawing.chalk.bold('WHAT CHANGED'), ...notes.flatMap((note) => wrap(note, drawing.width))],
    ...changes.flows.map((flow) => flowLines(flow, drawing)),
    ...changes.moves.flatMap(({ measure, rises, falls }) => [
      movesLines(measure, { title: movesTitle(measure, 'rises'), moves: rises }, drawing),
      movesLines(measure, { title: movesTitle(measure, 'falls'), moves: falls }, drawing),
    ]),
  ];
}

function flowLines({ field, pairs }: Flow, drawing: Drawing): readonly string[] {
  const shown = pairs.slice(0, MAX_PAIRS);
  const lines = shown.map(({ from, to, wallets }) => [`${valueText(from)} -> ${valueText(to)}`, grouped(wallets)]);
  const columns = [name(visible(field).toUpperCase()), number('WALLETS')];
  return [...tableLines(columns, lines, drawing), ...moreLines(pairs.length - shown.length, drawing)];
}

function movesLines(
  measure: Measure,
  { title, moves }: { readonly title: string; readonly moves: readonly Move[] },
  drawing: Drawing,
): readonly string[] {
  if (moves.length === 0) return [];
  const numbers = ['WAS', 'IS', 'CHANGE'].map(number);
  const head = title.toUpperCase();
  const wallet: Column = { head, cut: 'middle', minWidth: head.length };
  const cellsOf = (width: number, text: typeof amountText) => {
    const nameOf = createNamer(moves, width);
    return moves.map((move) => [nameOf(move), ...moveCells(move, (amount) => text(measure, amount))]);
  };
  const forms = [cellsOf(Number.POSITIVE_INFINITY, amountText), cellsOf(drawing.width, amountText)];
  // Cutting the middle of `label wallet` would remove the end of the label.
  const found = forms.find((lines) => haveRoom([{ head }, ...numbers], lines, drawing));
  return tableLines([wallet, ...numbers], found ?? cellsOf(drawing.width, shortText), drawing);
}

/** In three digits from 1,000 on. */
const shortText = (measure: Measure, amount: string) =>
  Math.abs(Number(amount)) < 1_000 ? amountText(measure, amount) : shortOf(measure, Number(amount));

function moveCells({ old, new: current, delta }: Move, text: (amount: string) => string): readonly string[] {
  return [text(old), text(current), delta.startsWith('-') ? text(delta) : `+${text(delta)}`];
}

function distributionLines({ measure, summary, bins }: Distribution, drawing: Drawing): readonly string[] {
  const ranges = bins.map((bin) => rangeText(measure, bin));
  const told = quantiles(summary).map(([what, value]) => `${what} ${shortOf(measure, value)}`);
  return [
    drawing.chalk.bold(measure.toUpperCase()),
    ...wrap(told.join(', '), drawing.width),
    ...barLines(
      ranges.map((text, i) => ({ text, count: bins[i]?.count ?? 0 })),
      { drawing, isRange: true },
    ),
  ];
}

function shareLines({ path, values }: Figures['shares'][number], drawing: Drawing): readonly string[] {
  const title = drawing.chalk.bold(truncate(visible(shareName(path)).toUpperCase(), drawing.width));
  const shown = values.map(({ text, count }) => ({ text: visible(text), count }));
  return [title, ...barLines(shown, { drawing, isRange: false })];
}

/** Per line: a name, a count, its share, and a bar in the remaining width. */
function barLines(
  bars: readonly { readonly text: string; readonly count: number }[],
  { drawing: { chalk, width }, isRange }: { readonly drawing: Drawing; readonly isRange: boolean },
): readonly string[] {
  const total = bars.reduce((sum, { count }) => sum + count, 0);
  const highest = Math.max(1, ...bars.map(({ count }) => count));
  const room = Math.max(8, Math.floor(width / 2));
  const names = bars.map(({ text }) => truncate(text, room));
  const widest = Math.max(...names.map(displayWidth));
  const counts = bars.map(({ count }) => `${grouped(count)}  ${percent(count, total).padStart(5)}`);
  const counted = Math.max(...counts.map(displayWidth));
  const longest = Math.min(MAX_BAR, width - widest - counted - 4);
  return bars.map(({ count }, i) => {
    const length = count === 0 || longest < 1 ? 0 : Math.max(1, Math.round((longest * count) / highest));
    const shown = (isRange ? padStart : padEnd)(names[i] ?? '', widest);
    return truncate(`${shown}  ${padStart(counts[i] ?? '', counted)}  `, width)
      .concat(chalk.dim('█'.repeat(length)))
      .trimEnd();
  });
}
