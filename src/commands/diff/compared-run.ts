/** One of the two files of riskcli diff, read through: what is compared of a wallet. */

import { type ComparedValues, compareRows } from '../../compare/compare.ts';
import type { Context } from '../../context.ts';
import { redactTree } from '../../document/redact-tree.ts';
import { ListError, UsageError } from '../../errors.ts';
import { showReading } from '../../output/terminal/progress.ts';
import type { Field } from '../../paths/fields.ts';
import { PathChecker } from '../../paths/path-checker.ts';
import { LABEL_ROWS } from '../../row/label.ts';
import type { Row, RowInput } from '../../row/row.ts';
import { rowNode } from '../../row/row-node.ts';
import { type IndexedRun, indexRun } from '../../runs/index-run.ts';
import { openRunFile } from '../../runs/open-run.ts';
import { isAnswer, USUAL_COLUMNS, valueAt } from '../../runs/run.ts';
import { groupDigits } from '../../text/words.ts';
import type { DiffOptions } from './diff-options.ts';

/** A row, and its compared values as they may be shown. */
interface ComparedRow {
  readonly row: Row;
  readonly values: ComparedValues;
}

export type ComparedRun = Awaited<ReturnType<typeof readRun>>;

/**
 * Reads a file of rows, which the caller closes.
 * @throws ListError for what riskcli has not written or is torn, IoError when the disk has no room
 */
export async function readRun(file: string, options: DiffOptions, context: Context) {
  const { fields, hasUsual, scorePath } = options;
  const { report } = context;
  const paths = new PathChecker(fields.map((field) => ({ ...field, from: '--fields' })));
  const first: RowInput[] = [];
  let [unread, invalid] = [0, 0];
  const plain = await openRunFile(file, context);
  const progress = showReading(context);
  let run: IndexedRun | undefined;
  const close = () => {
    run?.close();
    plain.close();
  };
  try {
    run = await indexRun(plain, {
      host: context,
      scorePath,
      report,
      needs: hasUsual ? USUAL_COLUMNS : [],
      inspects: true,
      onRow(row, key) {
        if (first.length < LABEL_ROWS) first.push(row.input);
        if (row.status === 'invalid') invalid += 1;
        else if (row.wallet === undefined) unread += 1;
        if (isAnswer(row.status)) paths.observe(key, () => rowNode(row));
        progress.row();
      },
    });
    refuseTorn(run);
  } catch (error) {
    close();
    throw error;
  } finally {
    progress.done();
  }
  const { name } = run;
  if (unread > 0) report.warn(`rows of ${name} without a wallet that can be compared: ${groupDigits(unread)}`);
  if (invalid > 0) report.hint(`rows of ${name} that are not wallets and cannot be compared: ${groupDigits(invalid)}`);
  return { ...walletRows(run, options, context), first, missing: missingIn(name, paths.missingPathsError()), close };
}

function refuseTorn({ name, inspection }: IndexedRun): void {
  if (!inspection || inspection.end) return;
  throw new ListError(`the kept review ${name} is torn: its last line is missing`, {
    hint: 'compare with another one, or restore it from a backup',
  });
}

/** The error if none of the answers of a file had one of the fields named. */
const missingIn = (file: string, error: UsageError | undefined): UsageError | undefined =>
  error && new UsageError(`${file}: ${error.message}`, { code: error.code, hint: error.hint });

/** The wallets of a run, and what is compared of each. */
function walletRows({ name, index }: IndexedRun, { columns }: DiffOptions, { report }: Context) {
  let conflicts = 0;
  return {
    index,
    /** The last of several rows counts, as in a file to which newer rows were appended. */
    lastRow(key: string): ComparedRow | undefined {
      const rows = index.rowsOf(key).map((row) => ({ row, values: comparedValues(row, columns) }));
      const last = rows.pop();
      if (last && rows.some(({ values }) => compareRows(values, last.values).change !== 'same')) conflicts += 1;
      return last;
    },
    /** When all rows were asked for. */
    reportConflicts(): void {
      if (conflicts === 0) return;
      const count = groupDigits(conflicts);
      report.info(`wallets of ${name} that have several rows with different values: ${count}; the last one counts`);
    },
  };
}

const comparedValues = (row: Row, columns: readonly Field[]): ComparedValues =>
  columns.map(({ path }) => {
    const value = valueAt(row, path);
    return value && redactTree(value);
  });
