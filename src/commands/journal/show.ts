/** `riskcli journal show`: what a journal holds. */

import { subcommand } from '../../cli/command.ts';
import type { Context } from '../../context.ts';
import { surveyJournal } from '../../journal/history.ts';
import { isoTime } from '../../text/when.ts';
import { type Printing, printRecords, recordFlags } from '../shared/print-records.ts';
import { journalFile, journalFlag, warnOfDamage } from './file.ts';

export const show = subcommand({
  name: 'show',
  summary: 'Show whose answers a journal holds, how many, and how old',
  description: `Show what a journal holds. Superseded are answers that a newer one of the same
wallet replaces: journal prune --keep 1 takes them out. Nothing is changed, also
while a run is adding to the journal.`,
  flags: { journal: journalFlag, ...recordFlags },
  examples: [
    { line: 'riskcli journal show --journal answers.journal', does: 'How much is in it, and how old' },
    { line: 'riskcli journal show --journal answers.journal --json | jq .superseded', does: 'For a script' },
  ],
  excessHint: 'name the journal with --journal FILE',
  run: showJournal,
});

async function showJournal(
  options: Printing['options'] & { readonly journal: string | undefined },
  context: Context,
): Promise<undefined> {
  const file = journalFile(options.journal, context);
  const found = await surveyJournal(file);
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
  warnOfDamage(found.damagedLines, { path: file.path, context });
}
