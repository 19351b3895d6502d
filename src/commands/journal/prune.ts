/** `riskcli journal prune`: removes old answers from a journal. */
import { type Options, subcommand } from '../../cli/command.ts';
import { duration, value } from '../../cli/flag.ts';
import type { Context } from '../../context.ts';
import { UsageError } from '../../errors.ts';
import { pruneRule, removeAnswers } from '../../journal/prune.ts';
import { quotedWord } from '../../secrets/withhold.ts';
import { recordFlags } from '../shared/print-records.ts';
import { journalArgument, journalFile, journalFlag, printRemoved } from './file.ts';

const flags = {
  journal: journalFlag,
  keep: value(parseKeep, { value: 'N', help: 'keep the N newest answers of each wallet' }),
  olderThan: duration({ value: 'DURATION', help: 'remove only what is older, such as 90d' }),
  ...recordFlags,
};

export const prune = subcommand({
  name: 'prune',
  summary: 'Remove old answers from a journal',
  description: `Remove old answers from a journal: all but the newest ones of each wallet
(--keep), those before a time (--older-than), or, with both, those before it that
are not among the newest. The file is replaced in one step; while a run holds the
journal, this is exit 11 and changes nothing.`,
  args: [journalArgument],
  flags,
  examples: [
    { line: 'riskcli journal prune answers.journal --keep 1', does: 'Only the newest answer of each wallet' },
    { line: 'riskcli journal prune answers.journal --older-than 400d', does: 'Nothing older than 400 days' },
    {
      line: 'riskcli journal prune answers.journal --older-than 90d --keep 1',
      does: 'The same for 90 days, but no wallet loses its newest answer',
    },
  ],
  excessHint: 'name one journal; riskcli journal erase removes a wallet',
  run: pruneJournal,
});

async function pruneJournal(options: Options<typeof flags>, context: Context): Promise<undefined> {
  const file = journalFile(options, context);
  const { keep, olderThan } = options;
  if (keep === undefined && olderThan === undefined) {
    throw new UsageError('nothing says which answers to remove', {
      hint: 'add --keep N, --older-than DURATION, or both',
    });
  }
  const since = olderThan === undefined ? undefined : context.now() - olderThan;
  const removed = await removeAnswers(pruneRule({ keep, since }), {
    ...file,
    host: context,
  });
  await printRemoved(removed, { options, context, path: file.path });
}

function parseKeep(text: string): number {
  const keep = Number(text);
  if (/^\d+$/.test(text) && keep > 0 && Number.isSafeInteger(keep)) return keep;
  throw new UsageError(`--keep cannot be ${quotedWord(text)}`, { hint: 'give a whole number above 0' });
}
