/** Two runs that riskcli diff or riskcli report --baseline compares: which values, and how each run is read. */
import type { Context } from '../../context.ts';
import { UsageError } from '../../errors.ts';
import { showReading } from '../../output/terminal/progress.ts';
import { type ComparedColumn, defaultColumns, fieldColumn } from '../../results/comparison.ts';
import type { ResultRow, Results } from '../../results/result.ts';
import { Snapshot } from '../../results/snapshot.ts';
import { createFieldWatch, type Field, missingFieldsError } from '../../row/fields.ts';
import { formatRowPath } from '../../row/paths/own-names.ts';
import { areNotWallets, counted, verbFor } from '../../text/words.ts';

/** @throws UsageError when none of `runs` is a journal, which `flag` needs */
export function requireJournal(flag: '--as-of' | '--since', runs: readonly Results[]): void {
  if (runs.some(({ form }) => form === 'journal')) return;
  const names = runs.map(({ name }) => name).join(' and ');
  const isNot = runs.length === 1 ? 'is not one' : 'are not journals';
  throw new UsageError(`${flag} only works with a journal, and ${names} ${isNot}`, {
    hint: 'name a journal, or leave it out',
  });
}

/** @throws UsageError for standard input, which cannot be read twice, and where nothing lies between the two moments */
export function checkSince(
  file: string,
  { since, asOf = Number.POSITIVE_INFINITY }: { readonly since: number | undefined; readonly asOf: number | undefined },
): void {
  if (since === undefined) return;
  if (file === '-') {
    throw new UsageError('--since reads the journal twice, and standard input can be read once', {
      hint: 'name a file',
    });
  }
  if (since >= asOf) throw new UsageError('--since is not before --as-of', { hint: 'name an earlier time' });
}

/** Reports each text once: a journal that is compared with itself is read twice. */
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
 * @throws ListError for what riskcli has not written, IoError when the disk has no room for the values
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
  const watch = createFieldWatch(options.fields);
  const signal = context.signal();
  let unread = 0;
  const progress = showReading(context);
  try {
    for await (const row of results.rows) {
      signal.throwIfAborted();
      snapshot.add(row);
      if (!row.wallet && row.status !== 'invalid') unread += 1;
      if (watch.isWaiting && isAnswered(row)) watch.observe(row.node());
      progress.row();
    }
  } finally {
    progress.done();
  }
  results.close();
  warnOfLosses(results.name, snapshot, unread, context);
  const missing = watch.missing();
  return { snapshot, missing: missing.length > 0 ? inFile(results.name, missingFieldsError(missing)) : undefined };
}

const isAnswered = ({ status, document }: ResultRow) =>
  document !== undefined || !['invalid', 'failed', 'pending'].includes(status ?? '');

const inFile = (name: string, { message, code, hint }: UsageError) =>
  new UsageError(`${name}: ${message}`, { code, ...(hint !== undefined && { hint }) });

/** @param unread rows without a wallet */
function warnOfLosses(name: string, { duplicates, withoutWallet }: Snapshot, unread: number, { report }: Context) {
  if (unread > 0) {
    const rows = `${counted(unread, 'row')} of ${name} ${verbFor(unread, 'has')}`;
    report.warn(`${rows} no wallet that can be compared`);
  }
  if (withoutWallet > unread) {
    const others = withoutWallet - unread;
    report.hint(`${counted(others, 'row')} of ${name} ${areNotWallets(others)} and cannot be compared`);
  }
  if (duplicates > 0) {
    const rows = `${counted(duplicates, 'row')} of ${name} ${verbFor(duplicates, 'repeats')}`;
    report.info(`${rows} a wallet with other values: the last one counts`);
  }
}
