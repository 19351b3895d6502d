/** A file of rows that riskcli wrote, opened: what it is, and its rows. */

import type { Reporter } from '../context.ts';
import type { Node } from '../document/node.ts';
import { formatPath, memberOf, type Path } from '../document/path.ts';
import { ListError } from '../errors.ts';
import { READ_BACK_FORMATS } from '../row/formats.ts';
import { META, type Row, type Status } from '../row/row.ts';
import { findIn } from '../row/row-node.ts';
import { anyOf } from '../text/words.ts';
import type { Inspection } from './kept-file.ts';
import type { ReviewHeader } from './review-lines.ts';

/**
 * A row as it was written. In csv, and with --fields, `document` is flat: one member per column
 * that riskcli added.
 */
export interface FileRow extends Row {
  /** The offset of its line in the file, in bytes; 0 in a file that is not seekable. */
  readonly at: number;
}

export interface Run {
  /** The name of the file in messages: in quotes. */
  readonly name: string;
  /** Whether its rows are lines of JSON, which can be read again by their places. */
  readonly isSeekable: boolean;
  /** The header of a kept review; undefined for other files. */
  readonly review?: ReviewHeader | undefined;
  /** How a kept review ended, with the option `inspects`; undefined for other files. */
  readonly inspection?: Inspection | undefined;
  /**
   * In the order of the file, also if a wallet comes twice. Can be read once. Rejects with a
   * ListError for what riskcli has not written.
   */
  readonly rows: AsyncIterable<FileRow>;
}

/** The settings by which a row is read. */
export interface RowReadOptions {
  /** The name of the file in messages. */
  readonly name: string;
  /** The setting `score`, for answers that were written without their headline score. */
  readonly scorePath?: Path | undefined;
  /** Whether the score of every answer is read by `scorePath`, whatever its row says. */
  readonly rescores?: boolean;
}

/** The settings by which a file is read. */
export interface FileReadOptions extends RowReadOptions {
  /** The columns that its rows must have. */
  readonly needs: readonly string[];
  /** Gets notes on damage, and on changes since the file was written. */
  readonly report: Pick<Reporter, 'info' | 'warn'>;
  /** Called with each line of a kept review for a wallet that left the list. */
  readonly onRemoved?: ((line: Node) => void) | undefined;
}

/** The columns that a file must have to be compared or shown as a whole. */
export const USUAL_COLUMNS = ['status', 'score', 'total_collateral_usd'] as const;

export const EXPECTED_FILE_HINT = `give a file that riskcli profile wrote (${anyOf(READ_BACK_FORMATS)})`;

/** A fault of the file as a whole, or of the row that starts on `line`. */
export function notRiskcliOutput(
  problem: string,
  { name, line, hint = EXPECTED_FILE_HINT }: { readonly name: string; readonly line?: number; readonly hint?: string },
): ListError {
  return new ListError(`${name}${line === undefined ? '' : `, line ${line}`}: ${problem}`, { hint });
}

/** Says that the last row is cut short, as when a run was killed. */
export const reportTorn = ({ name, report }: FileReadOptions): void =>
  report.warn(
    `the last row of ${name} is incomplete and left out: its line does not end, as if the file had ` +
      'been cut short (if the row is complete, add a line break)',
  );

/** @throws ListError when rows with these names lack what is compared or shown */
export function checkNames(names: readonly string[], { name, needs }: FileReadOptions): void {
  const missing = ['wallet_address', ...needs].filter((column) => !names.includes(column));
  if (missing.length === 0) return;
  throw notRiskcliOutput(`it has no ${missing.join(', ')}`, {
    name,
    hint: 'give a file that riskcli profile wrote; with riskcli profile --fields, name these as well',
  });
}

export const isAnswer = (status: Status) => status === 'scored' || status === 'no_score';

/** The collateral of an answer. */
export const collateralOf = ({ document }: Pick<Row, 'document'>): Node | undefined =>
  document && memberOf(document, 'total_collateral_usd');

/**
 * The value of a row at `path`; of csv and of rows written with --fields, the column of that name.
 */
export function valueAt(row: Row, path: Path): Node | undefined {
  const found = findIn(row)(path);
  if (found !== undefined && found !== 'unknown') return found;
  if (!row.document || path[0] === META) return undefined;
  return memberOf(row.document, formatPath(path));
}
