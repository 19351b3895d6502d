/** `riskcli diff OLD NEW`: what rose, fell, appeared and vanished between two runs. */
import { command } from '../../cli/command.ts';
import { GATE_EXITS } from '../../cli/exits.ts';
import { flags } from './options.ts';
import { runDiff } from './run.ts';

const DETAILS = `OLD and NEW are files that riskcli wrote (jsonl, json, csv, gzip of these) or
journals, of which the newest answer of each wallet counts; - is standard input.
Wallets are matched whatever their case and place; where a file has one in
several rows, the last row counts. The last row of a csv whose line does not end
is left out, and that is said: it may be cut within a number.

A row has wallet_address, change (added, removed, changed, same), and for
status, score and total_collateral_usd, or for each of --fields, what it was
(score.old), what it is (score.new) and by how much it rose (score.delta; below
0 if it fell). Deltas are exact; where there are not two numbers there is none.
1.0 and 1.00 are the same. Rows come in the order of NEW, then what only OLD
has, in its order.

--where, --sort and --fail-if take these names: 'score.delta < -50', 'change ==
removed', total_collateral_usd.new:desc. A wallet that was added or removed has
no score.delta, so no condition on that can be judged for it: the row says so
(unjudged instead of matched), and as for a list that is exit 10 as well.
--accept added lets it pass. Differences by themselves are exit 0.`;

export const diff = command({
  description: `Show what changed between two runs: which wallets rose, fell, appeared and
vanished. Needs no key and sends nothing.`,
  args: [
    { name: 'old', help: 'the earlier output or journal', completes: 'file' },
    { name: 'new', help: 'the later one; - for stdin', completes: 'file' },
  ],
  flags,
  forms: [
    {
      when: ({ isTyped }) => !isTyped('fail-if'),
      refuses: ['accept'],
      message: (flag) => `${flag} only works with --fail-if: without it every change passes`,
      hint: 'add --fail-if CONDITION, or leave it out',
    },
  ],
  details: DETAILS,
  examples: [
    { line: 'riskcli diff last-week.csv this-week.csv', does: 'What changed since last week' },
    {
      line: 'riskcli diff old.csv new.csv --where "score.delta < 0" --sort score.delta',
      does: 'Which fell, those that fell the most first',
    },
    {
      line: "riskcli diff old.csv new.csv --fail-if 'score.delta < -50' --accept added",
      does: 'A gate: exit 10 if a score fell by more than 50, or cannot be told',
    },
    {
      line: 'riskcli diff old.journal new.journal --fields defi_score.risk_level',
      does: 'Whose risk level changed',
    },
  ],
  excessHint: 'give two files: what was, and what is',
  reads: ['settings', 'color'],
  exits: GATE_EXITS,
  run: runDiff,
});
