/** --where, --sort and --top: selects and orders the rows of a list or a diff, and reports at the end what was left out. */
import type { Context } from '../../context.ts';
import type { RecordLocation } from '../../files/records/block-reader.ts';
import { openRecordFile } from '../../files/records/record-file.ts';
import { ratioNode } from '../../row/change.ts';
import type { FindCompared } from '../../row/conditions.ts';
import type { Row } from '../../row/row.ts';
import { judgeExpression } from '../../row/rules.ts';
import type { Shape, Sort } from '../../row/shape.ts';
import { compareKeys, type SortKey, sortKey } from '../../row/sort-key.ts';
import { ownCopy } from '../../text/own-copy.ts';
import { counted, grouped, verbFor } from '../../text/words.ts';
import type { RowOutput } from './row-output.ts';

/** The verdict of the rules on a row. */
type JudgedRow = Pick<Row, 'matched' | 'unjudged'>;

/** How to read fields of a row, and how to store it on disk. */
export interface RowKind<R extends JudgedRow> {
  readonly find: (row: R) => FindCompared;
  /** The row as text. */
  readonly encode: (row: R) => string;
  readonly decode: (text: string) => R;
}

export interface Shaping<R extends JudgedRow> {
  readonly shape: Shape;
  readonly kind: RowKind<R>;
  readonly context: Pick<Context, 'temporaryFolder' | 'signal' | 'report'>;
}

/** Passes only the rows selected by `shape` to `output`. */
export function shapeRows<R extends JudgedRow>(
  output: RowOutput<R>,
  { shape, kind, context }: Shaping<R>,
): RowOutput<R> {
  const { where, sort, top } = shape;
  if (!where && !sort && !top) return output;
  const counts = { kept: 0, unclear: 0, written: 0, matched: 0, unjudged: 0 };
  const count = ({ matched = [], unjudged = [] }: R, step: 1 | -1) => {
    if (matched.length > 0) counts.matched += step;
    else if (unjudged.length > 0) counts.unjudged += step;
  };
  const counting: RowOutput<R> = {
    ...output,
    row(row) {
      counts.written += 1;
      count(row, -1);
      return output.row(row);
    },
  };
  const ordered = sort ? sortRows(counting, sort, { shape, kind, context }) : cutRows(counting, top);
  return {
    ...ordered,
    row(row) {
      count(row, 1);
      const holds = where ? judgeExpression(where, kind.find(row)) : true;
      if (holds === undefined) counts.unclear += 1;
      if (!holds) return undefined;
      counts.kept += 1;
      return ordered.row(row);
    },
    async end(how) {
      await ordered.end(how);
      for (const note of notesOf(counts)) context.report.info(note);
    },
  };
}

/**
 * @param counts rows for which --where held (`kept`) or was unclear, rows written, and rows not written that matched a rule or could
 *   not be judged
 */
function notesOf(
  counts: Readonly<Record<'kept' | 'unclear' | 'written' | 'matched' | 'unjudged', number>>,
): readonly string[] {
  const { kept, unclear, written, matched, unjudged } = counts;
  const notShown = (rows: number, what: string) =>
    rows > 0 ? [`${counted(rows, 'row')} that ${what} ${verbFor(rows, 'is')} not in the output`] : [];
  return [
    ...(unclear > 0
      ? [`${counted(unclear, 'row')} ${verbFor(unclear, 'lacks')} this value and ${verbFor(unclear, 'is')} not shown`]
      : []),
    ...(written < kept ? [`showing ${grouped(written)} of ${counted(kept, 'row')}`] : []),
    ...notShown(matched, 'matched'),
    ...notShown(unjudged, 'could not be judged'),
  ];
}

function cutRows<R>(output: RowOutput<R>, top = Number.POSITIVE_INFINITY): RowOutput<R> {
  let left = top;
  return { ...output, row: (row) => (left-- > 0 ? output.row(row) : undefined) };
}

/** Holds all rows until the last one has arrived: their keys in memory, the rows on disk. The sort is stable. */
function sortRows<R extends JudgedRow>(
  output: RowOutput<R>,
  sort: Sort,
  { shape: { top }, kind, context }: Shaping<R>,
): RowOutput<R> {
  const rows = openRecordFile(context);
  const held: { readonly key: SortKey; readonly location: RecordLocation }[] = [];
  return {
    ...output,
    row(row) {
      const found = kind.find(row)(sort.path);
      const key = copyOf(sortKey(found === undefined || typeof found === 'string' ? undefined : ratioNode(found)));
      held.push({ key, location: rows.append(kind.encode(row)) });
      return undefined;
    },
    flush: () => undefined,
    async end(how) {
      held.sort((a, b) => compareKeys(a.key, b.key, sort));
      try {
        for (const { location } of held.slice(0, top)) {
          // A stopped list still writes the rows it has: its signal is already aborted.
          if (!how.isStopped) context.signal().throwIfAborted();
          await output.row(kind.decode(rows.read(location)));
        }
      } catch (error) {
        await output.end({ isStopped: true }).catch(() => {});
        throw error;
      }
      await output.end(how);
    },
    close() {
      rows.close();
      output.close();
    },
  };
}

/** The key without substrings of the answer. */
function copyOf(key: SortKey): SortKey {
  switch (key.kind) {
    case 'number':
      return { ...key, value: { ...key.value, spelling: ownCopy(key.value.spelling) } };
    case 'text':
      return { ...key, value: ownCopy(key.value) };
    default:
      return key;
  }
}
