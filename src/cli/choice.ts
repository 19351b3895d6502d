/** A value that must be one of a few words. */
import { UsageError } from '../errors.ts';
import { quotedWord } from '../secrets/withhold.ts';

/** @throws UsageError that lists the words when `value` is none of them. */
export function checkChoice<T extends string>(what: string, value: string, choices: readonly T[]): T {
  const choice = choices.find((known) => known === value);
  if (choice !== undefined) return choice;
  throw new UsageError(`${what} cannot be ${quotedWord(value)}`, { hint: `use one of ${choices.join(', ')}` });
}
