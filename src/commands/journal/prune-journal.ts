/**
 * `riskcli journal prune`: removes superseded answers from a journal, and on demand old ones, or
 * all of a wallet.
 */
import { type Options, subcommand } from '../../cli/command.ts';
import { duration, texts } from '../../cli/flag.ts';
import type { Context } from '../../context.ts';
import { shownPath } from '../../files/file-error.ts';
import { removeRecords } from '../../journal/prune.ts';
import { checkWallet } from '../../lists/check-wallet.ts';
import { checksumFlag, recordFlags } from '../flags.ts';
import { printRecords } from '../print-records.ts';
import { journalArgument, journalFile } from './file.ts';

const pruneFlags = {
  olderThan: duration({ value: 'DURATION', help: 'also remove what is older, such as 90d' }),
  wallet: texts({ value: 'WALLET', help: 'also remove everything about this wallet; repeatable' }),
  checksum: checksumFlag,
  ...recordFlags,
};

export const prune = subcommand({
  name: 'prune',
  summary: "Remove superseded, old or one wallet's answers",
  description: `Remove superseded answers and damaged records from a journal: superseded is what a
newer answer of the same wallet replaces. --older-than also removes old answers,
and --wallet everything about a wallet. The file is replaced in one step. While a
run holds the journal, this ends with exit 11 and changes nothing. Outputs, kept
reviews and copies are separate files, and are not touched.`,
  args: [journalArgument],
  flags: pruneFlags,
  examples: {
    'riskcli journal prune answers.journal': 'Keep only the newest answer of each wallet',
    'riskcli journal prune answers.journal --older-than 400d': 'Also remove what is older than 400 days',
    'riskcli journal prune answers.journal --wallet "$WALLET"': 'Also remove everything about one wallet',
  },
  excessHint: 'name one journal; --wallet removes a wallet',
  run: pruneJournal,
});

async function pruneJournal(options: Options<typeof pruneFlags>, context: Context): Promise<undefined> {
  const file = journalFile(options, context);
  const { olderThan, wallet, checksum } = options;
  const wallets =
    wallet.length > 0 ? await Promise.all(wallet.map((one) => checkWallet(one, { checksum }))) : undefined;
  const pruning = {
    olderThan: olderThan === undefined ? undefined : context.now() - olderThan,
    wallets: wallets && new Set(wallets.map(({ id }) => id)),
  };
  const removed = await removeRecords(pruning, { ...file, host: context });
  const record = {
    answers_removed: removed.recordsRemoved,
    wallets_affected: removed.walletsAffected,
    answers_left: removed.recordsLeft,
    bytes_before: removed.bytesBefore,
    bytes_after: removed.bytesAfter,
  };
  await printRecords([record], { options, context, single: true });
  if (removed.damagedLines === 0) return;
  context.report.warn(`damaged records dropped from the journal ${shownPath(file.path)}: ${removed.damagedLines}`);
}
