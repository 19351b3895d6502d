/** The rows of a diff on their way out: as they are found, or in another order when all were found. */
import type { Context } from '../../context.ts';
import { writeCompact } from '../../document/write.ts';
import type { Target } from '../../files/target.ts';
import { createDiffWriter } from '../../output/diff/diff-writer.ts';
import { writeRows } from '../../output/list/row-output.ts';
import { verdictOf } from '../../output/list/row-text.ts';
import { isShaped, shapeRows } from '../../output/list/shape.ts';
import type { RowKind, RowOutput } from '../../output/list/writer.ts';
import { type DiffRow, difference, type Finder } from '../../results/comparison.ts';
import { readValues } from '../../results/snapshot.ts';
import type { DiffOptions } from './options.ts';

interface Destination {
  readonly options: DiffOptions;
  /** What the compared values are called. */
  readonly names: readonly string[];
  readonly finder: Finder;
  readonly context: Context;
}

/** Writes nothing before the first row: a fault before it leaves stdout empty. */
export async function createDiffOutput(
  target: Target,
  { options, names, finder, context }: Destination,
): Promise<RowOutput<DiffRow>> {
  const { format, header, terminal, rules, shape } = options;
  const writer = await createDiffWriter(format, { names, header, terminal, verdictColumns: rules.length > 0 });
  const output = writeRows(target, writer);
  return isShaped(shape) ? shapeRows(output, { shape, kind: diffRows(finder), context }) : output;
}

const diffRows = (finder: Finder): RowKind<DiffRow> => ({
  find: finder.in,
  verdict: verdictOf,
  encode({ differences, ...rest }) {
    const values = (side: 'old' | 'new') => writeCompact({ kind: 'array', items: differences.map((one) => one[side]) });
    return JSON.stringify({ ...rest, old: values('old'), new: values('new') });
  },
  decode(line) {
    const { old, new: current, ...rest } = JSON.parse(line);
    const [before, after] = [readValues(old), readValues(current)];
    return { ...rest, differences: before.map((value, i) => difference(value, after[i])) };
  },
});
