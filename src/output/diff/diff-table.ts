/**
 * A diff on a terminal: old and new score, signed changes of score and collateral, further fields
 * if they were named, the status if it changed. Nothing is coloured by direction: only the reader
 * knows which one is better.
 */

import { type Difference, isSame } from '../../compare/compare.ts';
import { type DiffRow, deltaNode } from '../../compare/diff.ts';
import { isEmpty, type Node } from '../../document/node.ts';
import type { RowWriter } from '../../files/sink.ts';
import { visible } from '../../text/escape.ts';
import { drawingOn, type Terminal } from '../terminal/lines.ts';
import { type RowColumn, tableOfRows, WALLET_COLUMN } from '../terminal/row-table.ts';
import { headText } from '../terminal/table.ts';
import { fieldText } from '../value-text.ts';
import { verdictRemarks } from '../verdict-words.ts';

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

export async function createDiffTable(options: DiffRowsOptions, terminal: Terminal): Promise<RowWriter<DiffRow>> {
  const { names, label, hasUsual } = options;
  const usual = (name: string) => (hasUsual ? names.indexOf(name) : -1);
  const [status, score, collateral] = [usual('status'), usual('score'), usual('total_collateral_usd')];
  const at = (row: DiffRow, i: number) => row.differences[i];
  const labelCell = (row: DiffRow) => row.label ?? '';
  const scoreCell = (row: DiffRow) => sidesText('score', at(row, score), row);
  const collateralCell = (row: DiffRow) => amountText(row, at(row, collateral));
  const columns: readonly RowColumn<DiffRow>[] = [
    ...(label === undefined ? [] : [{ ...LABEL_COLUMN, head: headText(label), cell: labelCell }]),
    { ...WALLET_COLUMN, cell: ({ wallet }) => visible(wallet) },
    ...(score < 0 ? [] : [{ head: 'SCORE', isNumber: true, cell: scoreCell }]),
    { head: 'CHANGE', isNumber: score >= 0, cell: (row) => changeText(row, at(row, score)) },
    ...(collateral < 0 ? [] : [{ head: 'COLLATERAL CHANGE', isNumber: true, rank: 1, cell: collateralCell }]),
    ...names.flatMap((name, i): readonly RowColumn<DiffRow>[] => {
      const cell = (row: DiffRow) => differenceText(name, at(row, i), row);
      const isShown = [status, score, collateral].includes(i);
      return isShown ? [] : [{ head: headText(name), cut: 'end', minWidth: MIN_VALUE, cell }];
    }),
  ];
  const remarks = (row: DiffRow) =>
    visible(
      [statusRemark(row, at(row, status), scoreCell(row) === '-'), ...verdictRemarks(row)].filter(Boolean).join('; '),
    );
  return tableOfRows(columns, { remarks }, await drawingOn(terminal));
}

const LABEL_COLUMN = { isNumber: false, cut: 'end', minWidth: 20 } as const;
/** Somebody asked for these values: the wallet is shortened before them. */
const MIN_VALUE = 60;

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
