/** What earlier runs have learned of the key in use, for budgets and forecasts before anything is sent. */

import { LimitError } from '../errors.ts';
import type { KeyDescription } from '../settings/key/lookup.ts';
import type { ResolvedRun } from '../settings/resolve.ts';
import { isoSeconds, monthName, nextMonth, whenWords } from '../text/when.ts';
import { type KeyState, openKeyState } from './key-state.ts';

/**
 * The setting monthly-requests, and how many requests this machine has sent with `key` in the current UTC month; undefined without
 * the setting, and before the command that prints the key was run, since the count depends on the key.
 */
export function monthlyUse(
  run: ResolvedRun,
  key: KeyDescription,
): { readonly allowed: number; readonly sent: number } | undefined {
  const allowed = run.settings.monthlyRequests.value;
  const isUnknown = key.source !== undefined && key.value === undefined;
  return allowed === undefined || isUnknown ? undefined : { allowed, sent: stateOf(run, key)?.sentThisMonth() ?? 0 };
}

/** The error of a run that the setting monthly-requests stops until the next UTC month; `now` is milliseconds since 1970. */
export function monthSpentError(allowed: number, now: number): LimitError {
  const resumeAt = nextMonth(now);
  const rerun = `run the same command again after ${isoSeconds(resumeAt)}`;
  return new LimitError(
    `the ${allowed} requests allowed for ${monthName(now)} are used up (setting monthly-requests): the next are available ${whenWords(resumeAt, now)}`,
    {
      code: 'monthly_requests',
      resumeAt,
      hint: `${rerun}, or raise the setting with riskcli config set monthly-requests N if the plan allows more`,
      isResumable: true,
    },
  );
}

/** The limit of `key` as last seen, requests a second. */
export const rememberedLimit = (run: ResolvedRun, key: KeyDescription): number | undefined =>
  stateOf(run, key)?.learned()?.limit;

/** Undefined if the key or the base URL is not known yet. */
function stateOf({ settings, context }: ResolvedRun, { value: key }: KeyDescription): KeyState | undefined {
  const url = settings.text('base-url') && settings.baseUrl().value;
  return key && url ? openKeyState(context, { key, origin: url.origin }) : undefined;
}
