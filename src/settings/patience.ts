/** Waiting for a key that a pipe should bring. The user is told, and the wait has an end: a pipe may stay silent for ever. */

import { formatDuration } from '../cli/duration.ts';
import type { Context } from '../context.ts';
import { KeyError } from '../errors.ts';
import { startTimeLimit } from '../host/time-limit.ts';

export interface Waiting {
  readonly context: Context;
  /** Where the key should come from: `standard input`. */
  readonly what: string;
  /** How long that may take, milliseconds. */
  readonly timeoutMs: number;
}

/** Most commands that print a key take less; one that asks its user for a password takes more. */
const NOTICE_AFTER_MS = 1_000;

/** `signal` aborts with a KeyError when the time is up, or when the run is to stop. Call `end` when the key is there. */
export function startKeyTimeout({ context, what, timeoutMs }: Waiting): { readonly signal: AbortSignal; end(): void } {
  const limit = new AbortController();
  const within = formatDuration(timeoutMs);
  const saying = setTimeout(
    () => context.report.info(`waiting up to ${within} for the key from ${what}`),
    NOTICE_AFTER_MS,
  );
  const tooLong = new KeyError(`no key arrived from ${what} within ${within}`, {
    code: 'key_missing',
    hint: 'check the command that prints it, or allow more time with --timeout',
  });
  const callOff = startTimeLimit(timeoutMs, () => limit.abort(tooLong), context);
  return {
    signal: AbortSignal.any([context.signal(), limit.signal]),
    end() {
      clearTimeout(saying);
      callOff();
    },
  };
}
