/**
 * `riskcli review LIST`: who needs a look, what changed since an earlier review, and what is not
 * known.
 */
import { command } from '../../cli/command.ts';
import { FILE } from '../../cli/flag.ts';
import { resolveSettings } from '../../settings/resolve.ts';
import { printKept } from './output.ts';
import { reviewList } from './review-list.ts';
import { flags, reviewOptions } from './review-options.ts';

export const review = command({
  description: `Score a list, keep the run as one file, and report which alarms are open, which opened
or closed since an earlier review, and what could not be judged. An alarm is a rule that
matches a wallet: it opens with a match, and stays open until an answer, a rule, an
exception or the list closes it. Of two reviews on one day, the second counts.`,
  args: [
    {
      name: 'list',
      help: 'lines, CSV, JSON, JSON Lines or a workbook; - for stdin, with --keep',
      optional: true,
      completes: FILE,
    },
  ],
  flags,
  screenFlags: ['policy', 'fail-if', 'keep', 'since', 'as-of', 'only-news', 'brief', 'output', 'json'],
  examples: {
    'riskcli review holders.csv --policy policy.json': 'Who needs a look, and what changed',
    "riskcli review holders.csv --fail-if 'total_collateral_usd.ratio < 0.5'": 'Whose collateral fell by half',
    'riskcli review holders.csv --only-news': 'From cron: a mail when there is news',
    'riskcli review holders.csv --as-of 2026-11-15': 'What it said then',
    'riskcli review holders.csv --json | jq .new': 'For programs',
  },
  excessHint: 'name one list',
  async run(typed, context) {
    const settings = resolveSettings(typed, context);
    const options = await reviewOptions(typed, context);
    const run = { options, settings, context };
    return options.asOf === undefined ? reviewList(run) : printKept(options.asOf, run);
  },
});
