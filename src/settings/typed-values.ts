/**
 * Values as people type them in flags, variables and settings: one of several words, or a duration.
 */
import { UsageError } from '../errors.ts';
import { quotedWord } from '../secrets/redact.ts';

/** @throws UsageError that lists `choices` when `value` is none of them */
export function checkChoice<T extends string>(what: string, value: string, choices: readonly T[]): T {
  const choice = choices.find((known) => known === value);
  if (choice !== undefined) return choice;
  throw new UsageError(`${what} cannot be ${quotedWord(value)}`, { hint: `use one of ${choices.join(', ')}` });
}

/** `500ms`, `3s`, `5m`, `24h`, `7d`, `3w`; a bare number is seconds. */
const UNIT_MS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;
type Unit = keyof typeof UNIT_MS;

/**
 * `text` in whole milliseconds. `what` begins the message: the option, variable or file that has
 * it.
 * @throws UsageError when it is not a duration
 */
export function parseDuration(text: string, what = 'the duration'): number {
  const ms = readDuration(text);
  if (ms !== undefined) return ms;
  throw new UsageError(`${what} is not a duration: ${quotedWord(text)}`, {
    hint: 'write it like 500ms, 3s, 5m, 24h, 7d or 3w',
  });
}

/** `text` in whole milliseconds; undefined when it is not a duration. */
export function readDuration(text: string): number | undefined {
  const [, amount, unit = 's'] = /^(\d+(?:\.\d+)?)\s?(ms|s|m|h|d|w)?$/.exec(text.trim()) ?? [];
  const ms = Math.round(Number(amount) * UNIT_MS[unit as Unit]);
  return Number.isSafeInteger(ms) ? ms : undefined;
}

/** The shortest spelling that parseDuration reads back as `ms`. */
export function formatDuration(ms: number): string {
  if (ms < UNIT_MS.s) return ms === 0 ? '0s' : `${ms}ms`;
  for (const unit of ['h', 'm'] as const) if (ms % UNIT_MS[unit] === 0) return `${ms / UNIT_MS[unit]}${unit}`;
  return `${ms / UNIT_MS.s}s`;
}
