/** One of the two runs of a diff: read to its end, its values kept by wallet. What it does not say is told. */
import type { Context } from '../../context.ts';
import { UsageError } from '../../errors.ts';
import { showReading } from '../../output/terminal/reading.ts';
import type { Column } from '../../results/comparison.ts';
import type { ResultRow, Results } from '../../results/result.ts';
import { createSnapshot, type Snapshot } from '../../results/snapshot.ts';
import { createFieldWatch, type Field, missingFieldsError } from '../../row/fields.ts';
import type { WalletFormat } from '../../secrets/private-key.ts';
import { counted } from '../../text/words.ts';

/**
 * The values of `results`, and the error of a run none of whose answers had a field that was named.
 * @throws ListError for what riskcli did not write so, IoError when there is no room for its values
 */
export async function readRun(
  results: Results,
  {
    columns,
    options,
    context,
    closers,
  }: {
    readonly columns: readonly Column[];
    readonly options: { readonly fields: readonly Field[]; readonly walletFormat: WalletFormat };
    readonly context: Context;
    readonly closers: (() => unknown)[];
  },
) {
  const snapshot = createSnapshot({ columns, format: options.walletFormat, host: context });
  closers.push(snapshot.close);
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

/** @param unread rows whose wallet is none that the format takes */
function warnOfLosses(name: string, { duplicates, withoutWallet }: Snapshot, unread: number, { report }: Context) {
  if (unread > 0) {
    const have = unread === 1 ? 'has' : 'have';
    report.warn(`${counted(unread, 'row')} of ${name} ${have} no wallet that can be compared; see --wallet-format`);
  }
  if (withoutWallet > unread)
    report.hint(`${counted(withoutWallet - unread, 'row')} of ${name} had no wallet in the list`);
  if (duplicates > 0) {
    report.info(`${counted(duplicates, 'row')} of ${name} repeat a wallet with other values: the last one counts`);
  }
}
