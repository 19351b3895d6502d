/**
 * `riskcli journal`: shows what a store of answers holds, and cleans it.
 */
import { type CommandBody, type Options, subcommand } from '../../cli/command.ts';
import type { Context } from '../../context.ts';
import { summarizeJournal } from '../../journal/summarize.ts';
import { isoTime } from '../../text/when.ts';
import { recordFlags } from '../flags.ts';
import { printRecords } from '../print-records.ts';
import { journalArgument, journalFile, warnOfDamage } from './file.ts';
import { prune } from './prune-journal.ts';

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

export const journal: CommandBody = {
  description: `A journal is a store of answers that were paid for: riskcli profile keeps one with --journal FILE, and
FILE.journal beside -o FILE until the list is done. These commands need no key and send nothing.`,
  subcommands: [journalShowCommand, prune],
  examples: {
    'riskcli journal show answers.journal': 'What is in it',
    'riskcli journal prune answers.journal --older-than 30d': 'Without what is older than a month',
  },
};

async function showJournal(options: Options<typeof recordFlags>, context: Context): Promise<undefined> {
  const file = journalFile(options, context);
  const found = await summarizeJournal(file);
  const record = {
    base_url: found.base ?? null,
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
  warnOfDamage(found.damagedLines, file.path, context);
}
