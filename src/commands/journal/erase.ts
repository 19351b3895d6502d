/** `riskcli journal erase`: removes everything about some wallets from a journal, as for a request for erasure. */
import { type Options, subcommand } from '../../cli/command.ts';
import type { Context } from '../../context.ts';
import { ExitCode, FindingError } from '../../errors.ts';
import { shownPath } from '../../files/file-error.ts';
import { copiesAside } from '../../journal/journal-file.ts';
import { eraseRule, removeAnswers } from '../../journal/prune.ts';
import { WalletIndex } from '../../journal/wallet-index.ts';
import { areNotWallets, counted } from '../../text/words.ts';
import { ARGUMENTS_FORM, checksumFlag, columnFlag, fileFlag } from '../shared/flags.ts';
import { openInput, walletSource } from '../shared/list-input.ts';
import { recordFlags } from '../shared/print-records.ts';
import { journalArgument, journalFile, journalFlag, printRemoved, walletsIn } from './file.ts';

const flags = {
  journal: journalFlag,
  file: fileFlag,
  column: columnFlag,
  checksum: checksumFlag,
  ...recordFlags,
};

export const erase = subcommand({
  name: 'erase',
  aliases: ['purge'],
  summary: 'Remove every answer of some wallets from a journal',
  description: `Remove every answer and refusal of some wallets from a journal, so that nothing
of them is left in the file. Wallets that it does not have are ignored. Damaged
lines are removed too: nobody knows whose they are. The file is replaced in one step;
while a run holds the journal, this is exit 11 and changes nothing. Outputs,
copies and backups are other files: they are not touched.`,
  args: [
    journalArgument,
    { name: 'wallet', help: 'one or more 0x addresses, or - for a list on stdin', optional: true, variadic: true },
  ],
  forms: [
    {
      ...ARGUMENTS_FORM,
      when: ({ args, isTyped }) => ARGUMENTS_FORM.when({ args: isTyped('journal') ? args : args.slice(1), isTyped }),
    },
  ],
  flags,
  examples: [
    {
      line: 'riskcli journal erase j 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045',
      does: 'One wallet',
    },
    { line: 'riskcli journal erase answers.journal -f erased.txt', does: 'Those of a list' },
  ],
  run: eraseWallets,
});

async function eraseWallets(options: Options<typeof flags>, context: Context): Promise<undefined> {
  const file = journalFile(options, context);
  const { wallets, invalid } = await readWallets(options, context);
  const { rule, found, leftover } = eraseRule(wallets);
  const removed = await removeAnswers(rule, { ...file, host: context });
  const { warn, hint } = context.report;
  const absent = wallets.size - found.size;
  if (absent > 0) hint(`for ${counted(absent, 'wallet')} the journal had no answers`);
  if (leftover() > 0) {
    warn(`${counted(leftover(), 'answer')} of other wallets in the journal ${shownPath(file.path)} name an erased one`);
  }
  warnOfFilesBeside(file.path, context);
  await printRemoved(removed, { options, context, path: file.path });
  if (invalid.count > 0) {
    throw new FindingError(
      `${counted(invalid.count, 'row')} of the list ${areNotWallets(invalid.count)}, the first on line ${invalid.line}`,
      {
        exitCode: ExitCode.rows,
        code: 'rows',
        hint: 'the other wallets are erased; fix these rows and run the same command again',
        isResumable: true,
      },
    );
  }
}

/** What may hold answers of the wallets as well, and is for the user to delete. */
function warnOfFilesBeside(path: string, { report }: Context): void {
  const copies = copiesAside(path).map(shownPath);
  if (copies.length > 0) {
    report.warn(`copies of the journal from when it was damaged were not touched: ${copies.join(', ')}`);
  }
}

async function readWallets(options: Options<typeof flags>, context: Context) {
  const source = walletSource({ ...options, args: walletsIn(options) });
  const input = await openInput({ ...options, source }, context);
  const wallets = new WalletIndex();
  const invalid = { count: 0, line: 0 };
  try {
    const { records } = await input.open();
    for await (const batch of records) {
      context.signal().throwIfAborted();
      for (const { line, wallet } of batch) {
        if (wallet.ok) wallets.add(wallet.id);
        else if (++invalid.count === 1) invalid.line = line;
      }
    }
  } finally {
    input.close();
  }
  return { wallets, invalid };
}
