/** `riskcli limits`: what earlier runs have learned of the key's limit. Sends nothing. */

import { command, type Options } from '../cli/command.ts';
import type { Context } from '../context.ts';
import { maskKey } from '../secrets/api-key.ts';
import { remainingIsBurst } from '../service/pacing/rate-limit.ts';
import { openKeyState } from '../session/key-state.ts';
import { baseUrlText } from '../settings/base-url.ts';
import { resolveSettings } from '../settings/resolve.ts';
import { isoTime, month } from '../text/when.ts';
import { baseUrlFlag } from './shared/flags.ts';
import { printRecords, recordFlags } from './shared/print-records.ts';

const flags = { ...recordFlags, baseUrl: baseUrlFlag };

export const limits = command({
  description: `Show what earlier runs have learned about the key: its rate limit, how much of
it was left and when, and how many requests this machine has sent with it this
month (UTC). Nothing is sent. Requests from other machines are not counted.

The limit is requests a second over time. A service that allows bursts may report
more than that as remaining; remaining_is_burst is then true.`,
  flags,
  examples: [
    { line: 'riskcli limits', does: 'The rate to expect, and how much of the month is used' },
    { line: 'riskcli limits -e prod --json', does: 'For a script' },
  ],
  excessHint: 'choose the environment with -e NAME',
  run: showLimits,
});

async function showLimits(options: Options<typeof flags>, context: Context): Promise<undefined> {
  const settings = resolveSettings(options, context);
  const baseUrl = settings.baseUrl().value;
  const allowed = settings.monthlyRequests.value;
  // Checked before the key is read: it may come through a pipe, which is waited for this long.
  settings.text('timeout');
  const key = await settings.resolveKey();
  const state = openKeyState(context, { key, origin: baseUrl.origin });
  const learned = state.learned();
  const sent = state.sentThisMonth();
  const isBurst = learned && remainingIsBurst(learned);
  const record = {
    environment: settings.environment.value,
    key: maskKey(key),
    base_url: baseUrlText(baseUrl),
    limit: learned?.limit ?? null,
    remaining: learned?.remaining ?? null,
    remaining_is_burst: isBurst ?? null,
    reset_at: isoTime(learned?.resetAt),
    learned_at: isoTime(learned?.learnedAt),
    month: month(context.now()),
    requests_this_month: sent,
    monthly_requests: allowed ?? null,
    requests_left_this_month: allowed === undefined ? null : Math.max(0, allowed - sent),
  };
  await printRecords([record], { options, context, single: true });
  if (isBurst) {
    context.report.hint(
      `${learned?.remaining} remaining is above the limit: the service allows bursts, and ${learned?.limit} requests a second over time`,
    );
  }
  if (!learned) context.report.hint('no limit is known yet; the first answer from the service will show it');
}
