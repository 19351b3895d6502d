/** Which topic of help somebody may have meant: loaded only for a command that there is not. */
import { distance } from 'fastest-levenshtein';
import { topics } from './index.ts';

/** The topic that `word` is, begins, or nearly spells; undefined when one of `commands` is as near. */
export function topicMeant(word: string, commands: readonly string[]): string | undefined {
  const typed = word.toLowerCase();
  const names = topics.map(({ name }) => name);
  const begun = names.filter((name) => typed.length >= MIN_PREFIX_LENGTH && name.startsWith(typed));
  if (begun.length === 1) return begun[0];
  const stepsTo = (name: string) => distance(typed, name);
  const [nearest = ''] = names.toSorted((a, b) => stepsTo(a) - stepsTo(b));
  const isNear = stepsTo(nearest) <= Math.max(1, Math.floor(nearest.length / 4));
  return isNear && commands.every((name) => stepsTo(name) > stepsTo(nearest)) ? nearest : undefined;
}

/** Fewer letters may begin anything. */
const MIN_PREFIX_LENGTH = 3;
