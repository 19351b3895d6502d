/** The two runs of riskcli diff: which values are compared, and how each run is read. */
import type { Context } from '../../context.ts';
import { ListError, UsageError } from '../../errors.ts';
import { showReading } from '../../output/terminal/progress.ts';
import type { Field } from '../../row/fields.ts';
import { formatRowPath } from '../../row/paths/own-names.ts';
import { createPathWatch } from '../../row/paths/path-watch.ts';
import { type ComparedColumn, defaultColumns, fieldColumn } from '../../runs/comparison.ts';
import type { ResultRow, Results } from '../../runs/result.ts';
import { Snapshot } from '../../runs/snapshot.ts';
import { grouped } from '../../text/words.ts';

/** Reports each text once: a file that is compared with itself is read twice. */
export function withoutRepeats(report: (text: string) => void): (text: string) => void {
  const told = new Set<string>();
  return (text) => {
    if (!told.has(text)) report(text);
    told.add(text);
  };
}

/**
 * The usual columns that both of `runs` have, and the fields that were named.
 * @throws UsageError when there are none
 */
export function chooseColumns(
  runs: readonly Pick<Results, 'name' | 'missing'>[],
  { fields, keepsDefaults }: { readonly fields: readonly Field[]; readonly keepsDefaults: boolean },
  { report }: Pick<Context, 'report'>,
): readonly ComparedColumn[] {
  if (!keepsDefaults) return fields.map(fieldColumn);
  for (const { name, missing } of runs) {
    if (missing.length > 0) report.info(`${name} does not have ${missing.join(', ')}: that is not compared`);
  }
  const usual = defaultColumns(runs.flatMap(({ missing }) => missing));
  const isUsual = ({ name, path }: Field) =>
    formatRowPath(path) === name && usual.some((column) => column.name === name);
  const columns = [...usual, ...fields.filter((field) => !isUsual(field)).map(fieldColumn)];
  if (columns.length > 0) return columns;
  throw new UsageError('the two files have none of the usual fields in common', {
    hint: 'name what to compare: --fields PATHS',
  });
}

/**
 * The values of `results`, and the error if none of its answers had one of the fields named.
 * @throws ListError for what riskcli has not written or is torn, IoError when the disk has no room for the values
 */
export async function readRun(
  results: Results,
  {
    columns,
    options,
    context,
    closers,
  }: {
    readonly columns: readonly ComparedColumn[];
    readonly options: {
      readonly fields: readonly Field[];
      readonly label: string | undefined;
    };
    readonly context: Context;
    readonly closers: (() => unknown)[];
  },
) {
  const snapshot = new Snapshot({ columns, label: options.label, host: context });
  closers.push(() => snapshot.close());
  const paths = createPathWatch(options.fields.map((field) => ({ ...field, from: '--fields' })));
  const signal = context.signal();
  let [rows, unread] = [0, 0];
  const progress = showReading(context);
  try {
    for await (const row of results.rows) {
      signal.throwIfAborted();
      snapshot.add(row);
      rows += 1;
      if (!row.wallet && row.status !== 'invalid') unread += 1;
      if (isAnswered(row)) paths.observe(`${rows}`, () => row.node());
      progress.row();
    }
  } finally {
    progress.done();
  }
  results.close();
  judgeEnd(results, rows, context);
  warnOfLosses(results.name, snapshot, unread, context);
  const missing = paths.missing();
  return { snapshot, missing: missing && inFile(results.name, missing) };
}

/** @throws ListError for a kept review that was cut short: its other rows would seem to be gone */
function judgeEnd({ review, name }: Results, rows: number, { report }: Pick<Context, 'report'>): void {
  if (!review) return;
  const end = review.end();
  if (!end) {
    throw new ListError(`the kept review ${name} is torn: its last line is missing`, {
      hint: 'compare with another one, or restore it from a backup',
    });
  }
  if (rows < end.rows) report.warn(`rows taken out ${end.rows - rows}: the kept review ${name} has fewer than it had`);
}

const isAnswered = ({ status, document }: ResultRow) =>
  document !== undefined || !['invalid', 'failed', 'pending'].includes(status ?? '');

const inFile = (name: string, { message, code, hint }: UsageError) =>
  new UsageError(`${name}: ${message}`, { code, ...(hint !== undefined && { hint }) });

/** @param unread rows without a wallet */
function warnOfLosses(name: string, { duplicates, withoutWallet }: Snapshot, unread: number, { report }: Context) {
  if (unread > 0) report.warn(`rows of ${name} without a wallet that can be compared: ${grouped(unread)}`);
  const others = withoutWallet - unread;
  if (others > 0) report.hint(`rows of ${name} that are not wallets and cannot be compared: ${grouped(others)}`);
  if (duplicates > 0)
    report.info(`rows of ${name} that repeat a wallet with other values: ${grouped(duplicates)}; the last one counts`);
}
