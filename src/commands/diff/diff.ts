/** `riskcli diff OLD NEW`: what changed between two runs. */
import { command } from '../../cli/command.ts';
import { diffFlags, diffOptions } from './diff-options.ts';
import { writeDiff } from './write-diff.ts';

export const diff = command({
  description: `Show what changed between two runs: which scores and collaterals rose or fell, and
which wallets appeared or disappeared. Needs no key and sends nothing.`,
  args: [
    { name: 'old', help: 'the earlier output', completes: 'file' },
    { name: 'new', help: 'the later one; - for stdin', completes: 'file' },
  ],
  flags: diffFlags,
  screenFlags: ['fields', 'where', 'sort', 'top', 'fail-if', 'accept', 'format', 'output'],
  examples: {
    'riskcli diff last-week.csv this-week.csv': 'What changed since last week',
    'riskcli diff old.csv new.csv --where "score.delta < 0" --sort score.delta': 'Which fell, the largest fall first',
    "riskcli diff old.csv new.csv --fail-if 'score.delta < -50' --accept added":
      'A gate: exit 10 if a score fell by more than 50, or is unknown',
    'riskcli diff old.jsonl new.jsonl --fields defi_score.risk_level': 'Whose risk level changed',
  },
  excessHint: 'give two files, the earlier and the later one',
  async run(typed, context) {
    await writeDiff(diffOptions(typed, context), context);
    return undefined;
  },
});
