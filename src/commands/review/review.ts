/** `riskcli review LIST`: who needs a look, what changed since last time, and what is not known. */
import { command } from '../../cli/command.ts';
import type { Context } from '../../context.ts';
import { resolveSettings } from '../../settings/resolve.ts';
import { SANDBOX_FORM } from '../shared/flags.ts';
import { profileList } from '../shared/list/list.ts';
import type { Tell } from '../shared/list/options.ts';
import { createReview } from './create-review.ts';
import { flags, placesOf, type ReviewFlags, reviewOptions } from './options.ts';

export const review = command({
  description: `Score a list and say who needs a look, what changed since the last review,
which wallets are new or no longer listed, and which could not be judged. Answers
are kept for good in LIST.journal; only wallets whose newest answer is older than
20h are requested again.`,
  args: [{ name: 'list', help: 'lines, CSV, JSON or JSON Lines; - for stdin, with --journal', completes: 'file' }],
  flags,
  screenFlags: [
    'policy',
    'fail-if',
    'since',
    'only-news',
    'min-change',
    'output',
    'json',
    'journal',
    'max-age',
    'dry-run',
  ],
  forms: [SANDBOX_FORM],
  examples: [
    { line: 'riskcli review holders.csv --policy policy.json', does: 'Who needs a look, and what changed' },
    {
      line: 'riskcli review holders.csv --only-news -o monday.html',
      does: 'From cron: a page, and a mail when there is news',
    },
    { line: "riskcli review holders.csv --fail-if 'low: score < 450' --since 30d", does: 'What changed in a month' },
    { line: 'riskcli review holders.csv --json | jq .to_look_at', does: 'For programs' },
  ],
  excessHint: 'name one list',
  async run(typed, context) {
    const { list, journal } = placesOf(typed);
    const options = { ...typed, list, journal, file: [list] };
    const { summary, dryRun } = options;
    if (summary === undefined || dryRun) return runReview(options, context);
    const { summarised } = await import('../shared/list/summary-file.ts');
    return summarised({ ...options, summary }, context, (tell) => runReview(options, context, tell));
  },
});

async function runReview(
  typed: ReviewFlags & ReturnType<typeof placesOf>,
  context: Context,
  tell?: Tell,
): Promise<undefined> {
  const settings = resolveSettings(typed, context);
  const options = await reviewOptions(typed, context);
  const companion = createReview({ options, scorePath: settings.score.value, context });
  return profileList({ options, settings, context, tell, companion });
}
