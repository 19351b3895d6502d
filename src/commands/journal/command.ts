/** `riskcli journal`: answers over time, and how long they are kept. */
import type { CommandBody } from '../../cli/command.ts';
import { exportAnswers } from './export.ts';
import { history } from './history.ts';
import { prune } from './prune.ts';
import { purge } from './purge.ts';
import { show } from './show.ts';

export const journal: CommandBody = {
  description: `A journal is a dated record of every answer that was paid for: riskcli profile
keeps one with --journal FILE, and FILE.journal beside -o FILE until the list is
through. These commands need no key and send nothing.`,
  subcommands: [show, history, exportAnswers, prune, purge],
  examples: [
    { line: 'riskcli journal show --journal answers.journal', does: 'What is in it' },
    { line: 'riskcli journal export --journal answers.journal -o newest.csv', does: 'Its newest answers, as a list' },
  ],
};
