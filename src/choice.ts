/** A value that must be one of a few words. */
import { UsageError } from './errors.ts';
import { quoted } from './output/escape.ts';

/** @throws UsageError that lists the words when `value` is none of them. */
export function checkChoice(what: string, value: string, choices: readonly string[]): string {
  if (choices.includes(value)) return value;
  throw new UsageError(`${what} does not take ${quoted(value)}`, { hint: `use one of ${choices.join(', ')}` });
}
