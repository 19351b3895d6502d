/** The two runs of riskcli diff: which values are compared, and how each run is read. */
import type { ComparedValues } from '../../compare/compare.ts';
import type { Context } from '../../context.ts';
import type { Path } from '../../document/path.ts';
import { withholdTree } from '../../document/withhold-tree.ts';
import { ListError, UsageError } from '../../errors.ts';
import type { PlainFile } from '../../lists/plain-file.ts';
import { showReading } from '../../output/terminal/progress.ts';
import type { Field } from '../../row/fields.ts';
import { LABEL_ROWS } from '../../row/label.ts';
import { formatRowPath, META } from '../../row/paths/own-names.ts';
import { createPathChecker } from '../../row/paths/path-checker.ts';
import { type Row, type RowInput, rowNode } from '../../row/row.ts';
import { indexRun } from '../../runs/index-run.ts';
import { openRunFile } from '../../runs/open-run.ts';
import { isAnswer, USUAL_COLUMNS, valueAt } from '../../runs/run.ts';
import { groupDigits } from '../../text/words.ts';

/** A value that is compared, and its name in the output. */
export interface ComparedColumn {
  readonly name: string;
  readonly path: Path;
}

const USUAL_COMPARED: readonly ComparedColumn[] = USUAL_COLUMNS.map((name) => ({
  name,
  path: name === 'total_collateral_usd' ? [name] : [META, name],
}));

interface ColumnChoice {
  readonly fields: readonly Field[];
  /** Whether the usual columns are compared as well. */
  readonly keepsDefaults: boolean;
  /** The setting `score`. */
  readonly scorePath?: Path | undefined;
}

export function chooseColumns({ fields, keepsDefaults }: ColumnChoice): readonly ComparedColumn[] {
  if (!keepsDefaults) return fields;
  const isUsual = ({ name, path }: Field) =>
    formatRowPath(path) === name && USUAL_COMPARED.some((one) => one.name === name);
  return [...USUAL_COMPARED, ...fields.filter((field) => !isUsual(field))];
}

/** The compared values of a row, as they may be shown. */
export const comparedValues = (row: Row, columns: readonly ComparedColumn[]): ComparedValues =>
  columns.map(({ path }) => {
    const value = valueAt(row, path);
    return value && withholdTree(value);
  });

export type ComparedRun = Awaited<ReturnType<typeof readRun>>;

/**
 * A file of rows, indexed, and the error if none of its answers had one of the fields named. The caller closes it.
 * @throws ListError for what riskcli has not written or is torn, IoError when the disk has no room
 */
export async function readRun(file: string, choice: ColumnChoice, context: Context) {
  const plain = await openRunFile(file, context);
  try {
    const { run, ...read } = await readCompared(plain, choice, context);
    const close = () => {
      run.close();
      plain.close();
    };
    return { ...read, name: run.name, index: run.index, close };
  } catch (error) {
    plain.close();
    throw error;
  }
}

async function readCompared(plain: PlainFile, { fields, keepsDefaults, scorePath }: ColumnChoice, context: Context) {
  const paths = createPathChecker(fields.map((field) => ({ ...field, from: '--fields' })));
  const first: RowInput[] = [];
  let [rows, unread, invalid] = [0, 0, 0];
  const progress = showReading(context);
  const run = await indexRun(plain, {
    host: context,
    scorePath,
    needs: keepsDefaults ? USUAL_COLUMNS : [],
    report: context.report,
    onRow(row) {
      rows += 1;
      if (first.length < LABEL_ROWS) first.push(row.input);
      if (row.wallet === undefined && row.status === 'invalid') invalid += 1;
      else if (row.wallet === undefined) unread += 1;
      if (isAnswer(row.status)) paths.observe(`${rows}`, () => rowNode(row));
      progress.row();
    },
  }).finally(() => progress.done());
  const { name, review, end } = run;
  if (review && !end()) {
    run.close();
    throw new ListError(`the kept review ${name} is torn: its last line is missing`, {
      hint: 'compare with another one, or restore it from a backup',
    });
  }
  const { report } = context;
  if (unread > 0) report.warn(`rows of ${name} without a wallet that can be compared: ${groupDigits(unread)}`);
  if (invalid > 0) report.hint(`rows of ${name} that are not wallets and cannot be compared: ${groupDigits(invalid)}`);
  const missing = paths.missing();
  return { run, first, missing: missing && inFile(name, missing) };
}

const inFile = (name: string, { message, code, hint }: UsageError) =>
  new UsageError(`${name}: ${message}`, { code, ...(hint !== undefined && { hint }) });
