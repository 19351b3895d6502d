/**
 * A diff on a terminal: old and new score, signed changes of score and collateral, further fields
 * if they were named, the status if it changed. Nothing is coloured by direction: only the reader
 * knows which one is better. Widths come from the first rows; only labels and wallets are cut. If
 * the rest does not fit the terminal, each wallet is shown as a block of lines.
 */
import { type Difference, isSame } from '../../compare/compare.ts';
import { type DiffRow, deltaNode, RULE_RESULTS } from '../../compare/diff.ts';
import { isEmpty, type Node } from '../../document/node.ts';
import type { RowWriter } from '../../files/sink.ts';
import { visible } from '../../text/escape.ts';
import { displayWidth, wrap, wrapWords } from '../../text/width.ts';
import { type Drawing, drawingOn, entryLines, GAP, type Terminal, withRemarks } from '../terminal/lines.ts';
import { headText, Table, type TableColumn } from '../terminal/table.ts';
import { fieldText } from '../value-text.ts';

export interface DiffRowsOptions {
  /** Names of the compared fields. */
  readonly names: readonly string[];
  /** The list's column that holds the wallets' labels, if any. */
  readonly label: string | undefined;
  /** Whether `names` includes the fields that every diff compares (status, score, collateral). */
  readonly hasUsual: boolean;
  /** Whether rows say which rules they matched. */
  readonly verdictColumns: boolean;
}

/** Column widths are computed from this many rows. */
const SAMPLED_ROWS = 200;

interface DrawnRow {
  readonly cells: readonly string[];
  readonly remarks: string;
}

export async function createDiffTable(options: DiffRowsOptions, terminal: Terminal): Promise<RowWriter<DiffRow>> {
  const drawing = await drawingOn(terminal);
  const { columns, drawn } = diffLayout(options);
  const table = new Table(columns, drawing);
  let held: DrawnRow[] | undefined = [];
  const begin = () => {
    const rows = held ?? [];
    held = undefined;
    const head = table.fits() && rows.length > 0 ? `${table.head()}\n` : '';
    return head + rows.map(draw).join('');
  };
  const draw = (row: DrawnRow) => {
    const lines = table.fits()
      ? withRemarks(table.line(row.cells), row.remarks, drawing)
      : ownLines(row, columns, drawing);
    return lines.map((line) => `${line}\n`).join('');
  };
  return {
    head: () => '',
    row(row) {
      const cells = drawn(row);
      if (!held) return draw(cells);
      table.observe(cells.cells);
      held.push(cells);
      return held.length === SAMPLED_ROWS ? begin() : '';
    },
    foot: () => (held ? begin() : ''),
  };
}

/** A column, and the text of a row in it. */
interface DiffColumn extends TableColumn {
  readonly cell: (row: DiffRow) => string;
}

function diffLayout({ names, label, hasUsual }: DiffRowsOptions) {
  const usual = (name: string) => (hasUsual ? names.indexOf(name) : -1);
  const [status, score, collateral] = [usual('status'), usual('score'), usual('total_collateral_usd')];
  const at = (row: DiffRow, i: number) => row.differences[i];
  const scoreCell = (row: DiffRow) => sidesText('score', at(row, score), row);
  const parts: readonly DiffColumn[] = [
    ...(label === undefined ? [] : [labelColumn(label)]),
    // Both ends of an address are enough to recognise it.
    { head: 'wallet', cut: 'middle', minWidth: 13, cell: ({ wallet }) => visible(wallet) },
    ...(score < 0 ? [] : [{ head: 'score', isNumber: true, cell: scoreCell }]),
    { head: 'change', isNumber: score >= 0, cell: (row) => changeText(row, at(row, score)) },
    ...(collateral < 0
      ? []
      : [{ head: 'collateral change', isNumber: true, cell: (row: DiffRow) => amountText(row, at(row, collateral)) }]),
    ...names.flatMap((name, i): readonly DiffColumn[] =>
      [status, score, collateral].includes(i)
        ? []
        : [{ head: visible(name), cell: (row) => differenceText(name, at(row, i), row) }],
    ),
  ];
  return {
    columns: parts.map((part): TableColumn => ({ ...part, head: headText(part.head) })),
    drawn: (row: DiffRow): DrawnRow => ({
      cells: parts.map(({ cell }) => cell(row)),
      remarks: [statusRemark(row, at(row, status), scoreCell(row) === '-'), ...verdictRemarks(row)]
        .filter((part) => part !== '')
        .join('; '),
    }),
  };
}

const labelColumn = (label: string): DiffColumn => ({
  head: visible(label),
  isNumber: false,
  cut: 'end',
  minWidth: 20,
  cell: (row) => row.label ?? '',
});

/** `old → new`, or the only value there is. */
function sidesText(name: string, found: Difference | undefined, { change }: DiffRow): string {
  if (!found) return '-';
  if (change === 'removed') return valueShown(name, found.old);
  if (change === 'added' || isSame(found)) return valueShown(name, found.new);
  return `${valueShown(name, found.old)} → ${valueShown(name, found.new)}`;
}

const valueShown = (name: string, node: Node | undefined) => (!node || isEmpty(node) ? '-' : fieldText(name, node));

function differenceText(name: string, found: Difference | undefined, row: DiffRow): string {
  const sides = sidesText(name, found, row);
  const delta = row.change !== 'changed' || !found || isSame(found) ? '' : deltaText(name, found);
  return delta === '' ? sides : `${sides} (${delta})`;
}

/** The change with its sign; empty unless both sides are numbers. */
function deltaText(name: string, difference: Difference): string {
  const delta = deltaNode(difference);
  const text = isEmpty(delta) ? '' : fieldText(name, delta);
  return text === '' || /^-|^[$0.]+$/.test(text) ? text : `+${text}`;
}

/** The change of the score, or the kind of change of the row. */
function changeText({ change }: DiffRow, score: Difference | undefined): string {
  return change === 'changed' && score ? deltaText('score', score) || change : change;
}

/** The change of the collateral; for an added or removed row, the collateral itself. */
function amountText(row: DiffRow, found: Difference | undefined): string {
  const name = 'total_collateral_usd';
  return (row.change === 'changed' && found && deltaText(name, found)) || sidesText(name, found, row);
}

/** The status, if it changed or there is no score to show. */
function statusRemark(row: DiffRow, found: Difference | undefined, isWithoutScore: boolean): string {
  const isShown = found !== undefined && (isWithoutScore || (row.change === 'changed' && !isSame(found)));
  return isShown ? `status ${sidesText('status', found, row)}` : '';
}

function verdictRemarks(row: DiffRow): readonly string[] {
  const words = { matched: 'matched ', unjudged: 'not judged: ' };
  return RULE_RESULTS.map((name) => (row[name]?.length ? words[name] + visible(row[name].join('; ')) : ''));
}

function ownLines({ cells, remarks }: DrawnRow, columns: readonly TableColumn[], drawing: Drawing): readonly string[] {
  const at = columns.findIndex(({ cut }) => cut === 'middle');
  const [titles, values] = [cells.slice(0, at + 1), cells.slice(at + 1)];
  const entries = values.map((text, i) => ({ name: (columns[at + 1 + i]?.head ?? '').toLowerCase(), text }));
  const below = { ...drawing, width: drawing.width - GAP.length };
  return [
    ...titleLines(titles, drawing),
    ...entryLines(entries, below).map((line) => GAP + line),
    ...(remarks === '' ? [] : wrap(remarks, below.width).map((line) => GAP + drawing.chalk.bold(line))),
  ];
}

/**
 * Label and wallet, on separate lines if they do not fit on one. The address stays whole so that it
 * can be copied.
 */
function titleLines(titles: readonly string[], { width, chalk }: Drawing): readonly string[] {
  const named = titles.filter((text) => text !== '');
  const line = named.join(GAP);
  const lines = displayWidth(line) <= width ? [line] : named.flatMap((text) => wrapWords(text, width));
  return lines.map((text) => chalk.bold(text));
}
