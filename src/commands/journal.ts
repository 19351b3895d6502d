/**
 * `riskcli journal`: shows what a store of answers holds, and cleans it: of superseded answers, and
 * on demand of old ones, or all of a wallet.
 */
import { type Argument, type CommandBody, type Options, subcommand } from '../cli/command.ts';
import { duration, FILE, texts } from '../cli/flag.ts';
import type { Context } from '../context.ts';
import { UsageError } from '../errors.ts';
import { shownPath } from '../files/file-error.ts';
import type { JournalOptions } from '../journal/journal-file.ts';
import { removeRecords } from '../journal/prune.ts';
import { summarizeJournal } from '../journal/summarize.ts';
import { checkWallet } from '../lists/check-wallet.ts';
import { isoTime } from '../text/when.ts';
import { isAddress } from '../wallet/address.ts';
import { checksumFlag, recordFlags } from './flags.ts';
import { printRecords } from './print-records.ts';

const journalArgument: Argument = {
  name: 'file',
  help: 'the journal: the file that profile was given with --journal, or FILE.journal beside -o FILE',
  completes: FILE,
};

const journalShowCommand = subcommand({
  name: 'show',
  summary: 'Show whose answers a journal holds, how many, and how old',
  description: `Show what a journal holds. Superseded are answers that a newer one of the same
wallet replaces: journal prune removes them. Nothing is changed, even
while a run is adding to the journal.`,
  args: [journalArgument],
  flags: recordFlags,
  examples: {
    'riskcli journal show answers.journal': 'How much is in it, and how old',
    'riskcli journal show answers.journal --json | jq .superseded': 'For a script',
  },
  excessHint: 'name one journal',
  run: showJournal,
});

const pruneFlags = {
  olderThan: duration({ value: 'DURATION', help: 'also remove what is older, such as 90d' }),
  wallet: texts({ value: 'WALLET', help: 'also remove everything about this wallet; repeatable' }),
  checksum: checksumFlag,
  ...recordFlags,
};

const prune = subcommand({
  name: 'prune',
  summary: 'Remove outdated answers, or those of one wallet',
  description: `Remove superseded answers and damaged records from a journal. An answer is
superseded once there is a newer one for the same wallet. --older-than also removes old answers,
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

export const journal: CommandBody = {
  description: `A journal is a store of answers that were paid for: riskcli profile keeps one with --journal FILE, and
FILE.journal beside -o FILE until the list is done. These commands need no key and send nothing.`,
  subcommands: [journalShowCommand, prune],
  examples: {
    'riskcli journal show answers.journal': 'What is in it',
    'riskcli journal prune answers.journal --older-than 30d': 'Without what is older than a month',
  },
};

/** The journal that was named. @throws UsageError when none was. */
function journalFile({ args: [path = ''] }: { readonly args: readonly string[] }, context: Context): JournalOptions {
  if (path === '' || isAddress(path)) {
    throw new UsageError('no journal is named', {
      hint: 'name it first: the file that riskcli profile was given with --journal, or FILE.journal beside its -o FILE',
    });
  }
  return { path, uid: context.uid, signal: context.signal() };
}

async function showJournal(options: Options<typeof recordFlags>, context: Context): Promise<undefined> {
  const file = journalFile(options, context);
  const found = await summarizeJournal(file);
  const record = {
    base_url: found.baseUrl ?? null,
    wallets: found.wallets,
    answers: found.answers,
    superseded: found.superseded,
    refusals: found.refusals,
    oldest: isoTime(found.oldest),
    newest: isoTime(found.newest),
    bytes: found.bytes,
    damaged_lines: found.damagedLines,
  };
  await printRecords([record], { options, context, single: true });
  // Their checksum is wrong, and no answer is read from them.
  const { damagedLines } = found;
  if (damagedLines === 0) return;
  context.report.warn(`damaged records left out of the journal ${shownPath(file.path)}: ${damagedLines}`);
}

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
