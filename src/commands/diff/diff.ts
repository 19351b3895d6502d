/** `riskcli diff OLD NEW`: what rose, fell, appeared and vanished between two runs. */
import { command } from '../../cli/command.ts';
import { GATE_EXITS } from '../../cli/exits.ts';
import { diffOptions, flags } from './options.ts';
import { writeDiff } from './write-diff.ts';

const DETAILS = `OLD and NEW are files that riskcli wrote (jsonl, json, csv, gzip of these) or
journals, of which the newest answer of each wallet counts; - is standard input.
With --since one journal is enough: what it held then is compared with what it
holds now. With --as-of journals are read as they were then; if nothing is that
old, the exit code is 9. Upper and lower case do not matter, nor does the order of
rows; where a file has a wallet in several rows, the last one counts. A last row of
a csv without a line end is left out, with a warning: its last number may be cut.

A row has wallet_address, change (added, removed, changed, same), and for
status, score and total_collateral_usd, or for each of --fields, what it was
(score.old), what it is (score.new) and by how much it rose (score.delta; below
0 if it fell). Deltas are exact; there is none unless both are numbers.
1.0 and 1.00 are the same. Rows come in the order of NEW, then what only OLD
has, in its order.

--min-change 5 leaves out wallets whose score moved by less than 5, and those of
which only the collateral moved. A status that changed counts, and so does each
field that --fields names.

Where the list had columns of its own, label is what one of them says: the one
that --label names, else the first of mostly distinct texts that are no
addresses, hashes, dates or URLs. In csv it is the last column.

--where, --sort and --fail-if take these names: 'score.delta < -50', 'change ==
removed', total_collateral_usd.new:desc. A wallet that was added or removed has
no score.delta, so a condition on that cannot be judged: the row says so (unjudged
instead of matched), and that is exit 10 too, as for a list.
--accept added lets it pass. Differences by themselves are exit 0.`;

export const diff = command({
  description: `Show what changed between two runs: which wallets rose, fell, appeared and
vanished. Needs no key and sends nothing.`,
  args: [
    { name: 'old', help: 'the earlier output or journal', completes: 'file' },
    { name: 'new', help: 'the later one; - for stdin', replacedBy: 'since', completes: 'file' },
  ],
  flags,
  screenFlags: ['since', 'min-change', 'fields', 'where', 'sort', 'top', 'fail-if', 'accept', 'format', 'output'],
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
      does: 'Which fell, the largest fall first',
    },
    {
      line: "riskcli diff old.csv new.csv --fail-if 'score.delta < -50' --accept added",
      does: 'A gate: exit 10 if a score fell by more than 50, or is unknown',
    },
    {
      line: 'riskcli diff answers.journal --since 7d --min-change 10',
      does: 'Whose score moved by 10 or more in the last week',
    },
    {
      line: 'riskcli diff answers.journal --since 7d --fields defi_score.risk_level',
      does: 'Whose risk level changed in the last week',
    },
  ],
  excessHint: 'give two files, the earlier and the later one, or one journal with --since',
  reads: ['settings', 'score', 'color'],
  exits: GATE_EXITS,
  async run(typed, context) {
    await writeDiff(diffOptions(typed, context), context);
    return undefined;
  },
});
