/** `riskcli report`: one page to look at, made of what earlier runs wrote. */
import { command } from '../../cli/command.ts';
import { GATE_EXITS } from '../../cli/exits.ts';
import { flags } from './options.ts';
import { runReport } from './run.ts';

export const report = command({
  description: `Make one page to look at from what riskcli wrote: how many wallets became what,
distributions of score and collateral, shares of every field with few values, and
the wallets, to search, sort and filter, each with its whole card. The page is one
file that can be mailed, printed and kept: it loads nothing. Nothing is sent.`,
  args: [
    {
      name: 'file',
      help: 'jsonl (best), json or csv of riskcli profile, or a journal; - for stdin',
      completes: 'file',
    },
  ],
  flags,
  forms: [
    {
      when: ({ isTyped }) => !isTyped('fail-if') && !isTyped('policy'),
      refuses: ['accept'],
      message: (flag) => `${flag} only works with --fail-if or --policy: without them nothing is judged`,
      hint: 'add one of the two, or leave it out',
    },
  ],
  details: `With -o PAGE.md the same summary is Markdown, for pull requests and chats.

--fail-if and --policy say what to mark: the page lists what matched and what is
excused, and the exit code is 10 if anything matched, as for a list. Without
them the page shows what the rows say that they matched when they were written.

--baseline compares wallet by wallet, as riskcli diff does.

Up to 10,000 rows are all in the page. Of more it has the figures of all, and
the rows that matter: matched, excused, changed, extreme, incomplete, then the
first.`,
  examples: [
    { line: 'riskcli report scored.jsonl -o report.html', does: 'A page for a browser' },
    { line: 'riskcli report scored.csv -o report.md --title "Week 47"', does: 'A summary for a pull request' },
    { line: 'riskcli report this.jsonl --baseline last.jsonl -o page.html', does: 'What changed since last week' },
    {
      line: "riskcli report my.journal -o page.html --fail-if 'low: score < 400'",
      does: 'Mark the wallets below 400',
    },
  ],
  reads: ['settings'],
  exits: GATE_EXITS,
  excessHint: 'name one file, and the page with -o PAGE.html',
  run: runReport,
});
