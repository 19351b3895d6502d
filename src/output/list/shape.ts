/** --where, --sort and --top: which rows of a list or a diff are put out, and in what order. What is left out is said at the end. */
import type { Context } from '../../context.ts';
import { createSorter, type Sorter } from '../../files/lines/sorter.ts';
import { judgeExpression } from '../../row/rules.ts';
import type { Shape, Sort } from '../../row/shape.ts';
import { keyOrder, type SortKey, sortKey } from '../../row/sort-key.ts';
import { counted } from '../../text/words.ts';
import type { RowKind, RowOutput } from './writer.ts';

export const isShaped = ({ where, sort, top }: Shape): boolean => Boolean(where || sort || top);

type ShapeContext = Pick<Context, 'temporaryFolder' | 'signal' | 'report'>;

export interface Shaping<R> {
  readonly shape: Shape;
  readonly kind: RowKind<R>;
  readonly context: ShapeContext;
}

/** `output` for the rows that `shape` asks for. */
export function shapeRows<R>(output: RowOutput<R>, { shape, kind, context }: Shaping<R>): RowOutput<R> {
  const counts = { kept: 0, unclear: 0, written: 0, unseen: { matched: 0, unjudged: 0 } };
  const { find, verdict } = kind;
  const count = (row: R, step: 1 | -1) => {
    const found = verdict(row);
    if (found) counts.unseen[found] += step;
  };
  const counting: RowOutput<R> = {
    ...output,
    row(row) {
      counts.written += 1;
      count(row, -1);
      return output.row(row);
    },
  };
  const { sort, top } = shape;
  const ordered = sort ? sortRows(counting, { sort, top, kind, context }) : cutRows(counting, shape);
  return {
    ...ordered,
    row(row) {
      count(row, 1);
      const holds = shape.where ? judgeExpression(shape.where, find(row)) : true;
      if (holds === undefined) counts.unclear += 1;
      if (!holds) return undefined;
      counts.kept += 1;
      return ordered.row(row);
    },
    async end(how) {
      await ordered.end(how);
      for (const note of notesOf(counts, shape)) context.report.info(note);
    },
  };
}

interface Counts {
  /** Rows for which --where held. */
  readonly kept: number;
  /** Rows of which --where could not tell. */
  readonly unclear: number;
  readonly written: number;
  /** Rows that were not written, by what rules say of them. */
  readonly unseen: { readonly matched: number; readonly unjudged: number };
}

function notesOf({ kept, unclear, written, unseen }: Counts, { top }: Shape): readonly string[] {
  const { matched, unjudged } = unseen;
  const notShown = (rows: number, what: string) =>
    rows > 0 ? [`${counted(rows, 'row')} that ${what} ${rows === 1 ? 'is' : 'are'} not in the output`] : [];
  return [
    ...(unclear > 0 ? [`--where left out ${counted(unclear, 'row')} that cannot be judged`] : []),
    ...(written < kept ? [`--top ${top} left out ${kept - written} of ${counted(kept, 'row')}`] : []),
    ...notShown(matched, 'matched'),
    ...notShown(unjudged, 'could not be judged'),
  ];
}

function cutRows<R>(output: RowOutput<R>, { top = Number.POSITIVE_INFINITY }: Shape): RowOutput<R> {
  let left = top;
  return { ...output, row: (row) => (left-- > 0 ? output.row(row) : undefined) };
}

interface Sorting<R> extends Omit<Shaping<R>, 'shape'> {
  readonly sort: Sort;
  readonly top: number | undefined;
}

/** Rows wait for the last one. */
function sortRows<R>(output: RowOutput<R>, { sort, top, kind, context }: Sorting<R>): RowOutput<R> {
  const sorter: Sorter<SortKey> = createSorter(context, { order: keyOrder(sort), top });
  return {
    row(row) {
      const found = kind.find(row)(sort.path);
      sorter.add(sortKey(found === 'unknown' ? undefined : found), () => kind.encode(row));
      return undefined;
    },
    flush: () => undefined,
    async end(how) {
      for await (const line of sorter.sorted()) {
        // A list that was stopped shows what it has: the signal that stopped it has had its effect.
        if (!how.isStopped) context.signal().throwIfAborted();
        await output.row(kind.decode(line));
      }
      await output.end(how);
    },
    close() {
      sorter.close();
      output.close();
    },
  };
}
