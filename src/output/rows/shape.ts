/**
 * --where, --sort and --top: selects and orders the rows of a list or a diff, and reports at the
 * end what was left out.
 */

import type { Context } from '../../context.ts';
import type { Sink } from '../../files/sink.ts';
import { openTemporaryFile } from '../../files/temporary-file.ts';
import { compareKeys, type SortKey, sortKey } from '../../row/sort-key.ts';
import { type Judged, verdictsIn } from '../../row/verdict.ts';
import { incomparableText, ratioNode, type ValueLookup } from '../../rules/conditions.ts';
import { conditionsOf, type Expression, judgeExpression } from '../../rules/rules.ts';
import type { Shape, Sort } from '../../rules/shape.ts';
import { quoted } from '../../secrets/redact.ts';
import { ownCopy } from '../../text/own-copy.ts';
import { groupDigits } from '../../text/words.ts';
import type { RowKind } from './row-format.ts';

interface Shaping<R> {
  readonly shape: Shape;
  readonly kind: Pick<RowKind<R>, 'find' | 'encode' | 'decode'>;
  readonly context: Pick<Context, 'temporaryFolder' | 'signal' | 'report'>;
}

/** Passes only the rows selected by `shape` to `output`. */
export function shapeRows<R extends Judged>(output: Sink<R>, { shape, kind, context }: Shaping<R>): Sink<R> {
  const { where, sort, top } = shape;
  if (!where && !sort && top === undefined) return output;
  const counts = startCounts();
  const count = (row: R, step: 1 | -1) => {
    if (verdictsIn(row, 'matched').length > 0) counts.matched += step;
    else if (verdictsIn(row, 'unjudged').length > 0) counts.unjudged += step;
  };
  const counting: Sink<R> = {
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
      if (holds === undefined) countUnclear(counts, comparedText(where, kind.find(row)));
      if (!holds) return undefined;
      counts.kept += 1;
      return ordered.row(row);
    },
    async end(end) {
      await ordered.end(end);
      for (const note of notesOf(counts)) context.report.info(note);
    },
  };
}

const startCounts = () => ({
  /** Rows for which --where held. */
  kept: 0,
  /** Rows that it could not judge: they have no value, or a text that has no order. */
  lacking: 0,
  text: 0,
  /** The first of these texts. */
  example: undefined as string | undefined,
  written: 0,
  /** Rows not written that matched a rule, or could not be judged. */
  matched: 0,
  unjudged: 0,
});

function countUnclear(counts: ReturnType<typeof startCounts>, text: string | undefined): void {
  if (text === undefined) counts.lacking += 1;
  else counts.text += 1;
  if (text !== undefined) counts.example ??= ownCopy(text);
}

const comparedText = (where: Expression | undefined, find: ValueLookup): string | undefined =>
  (where ? conditionsOf(where) : []).map((one) => incomparableText(one, find)).find((text) => text !== undefined);

function notesOf(counts: ReturnType<typeof startCounts>): readonly string[] {
  const { kept, lacking, text, example = '', written, matched, unjudged } = counts;
  const label = (what: string, rows: number) => (rows > 0 ? [`${what}: ${groupDigits(rows)}`] : []);
  const such = example === '' ? '' : `, such as ${quoted(example)}`;
  return [
    ...label('rows not shown, since they lack this value', lacking),
    ...label('rows not shown, since this value is no number', text).map((note) => note + such),
    ...(written < kept ? [`showing ${groupDigits(written)} of ${groupDigits(kept)} rows`] : []),
    ...label('rows matched, but not in the output', matched),
    ...label('rows not judged, and not in the output', unjudged),
  ];
}

function cutRows<R>(output: Sink<R>, top = Number.POSITIVE_INFINITY): Sink<R> {
  let left = top;
  return { ...output, row: (row) => (left-- > 0 ? output.row(row) : undefined) };
}

/**
 * Holds all rows until the last one has arrived: their keys in memory, the rows on disk. The sort
 * is stable.
 */
function sortRows<R>(output: Sink<R>, sort: Sort, { shape: { top }, kind, context }: Shaping<R>): Sink<R> {
  const rows = openTemporaryFile(context);
  const held: { readonly key: SortKey; readonly offset: number; readonly length: number }[] = [];
  return {
    ...output,
    row(row) {
      const found = kind.find(row)(sort.path, sort.aspect);
      const key = sortKey(found === undefined || typeof found === 'string' ? undefined : ratioNode(found));
      const bytes = Buffer.from(kind.encode(row));
      // A copy, so that the key does not keep the text of its answer in memory.
      held.push({ key: structuredClone(key), offset: rows.append(bytes), length: bytes.length });
      return undefined;
    },
    flush: () => undefined,
    async end(end) {
      held.sort((a, b) => compareKeys(a.key, b.key, sort));
      try {
        for (const { offset, length } of held.slice(0, top)) {
          // A stopped list still writes the rows it has: its signal is already aborted.
          if (end.stop === undefined) context.signal().throwIfAborted();
          await output.row(kind.decode(rows.read(offset, length).toString()));
        }
      } catch (error) {
        await output.end({ ...end, stop: error }).catch(() => {});
        throw error;
      }
      await output.end(end);
    },
    async close() {
      rows.close();
      await output.close();
    },
  };
}
