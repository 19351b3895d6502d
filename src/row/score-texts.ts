/**
 * The texts directly in `defi_score`, such as a risk level. Which of them divide the wallets into a
 * few groups is known only when all rows were seen.
 */
import type { ObjectNode } from '../document/node.ts';
import { memberOf } from '../document/path.ts';
import { ownCopy } from '../text/own-copy.ts';
import { isDecimal } from './decimal.ts';

/** In characters; a longer text says something else about each wallet. */
const MAX_SCORE_TEXT_LENGTH = 60;
/** A name with more values says something else about each wallet. */
const MAX_TEXTS_PER_NAME = 12;
/** Names that are counted at most. */
const MAX_NAMES = 100;

/**
 * The texts directly in the `defi_score` of `document`, by their names; a number is none, though it
 * was sent as a string.
 */
export function textsOf(document: ObjectNode | undefined): ReadonlyMap<string, string> {
  const score = document && memberOf(document, 'defi_score');
  const members = score?.kind === 'object' ? score.members : [];
  return new Map(
    members.flatMap(([name, node]) =>
      node.kind === 'string' && node.value.length <= MAX_SCORE_TEXT_LENGTH && !isDecimal(node.value)
        ? [[name, node.value] as const]
        : [],
    ),
  );
}

/** How many rows have each value of a text. */
export interface TextShares {
  readonly name: string;
  /** Most frequent first. */
  readonly values: readonly { readonly text: string; readonly count: number }[];
}

/** Counts the values of the texts of rows. */
export function createTextCounts() {
  const names = new Map<string, Map<string, number>>();
  /** Whether the text `name` has at most 12 different values so far. */
  const hasFewValues = (name: string) => {
    const counts = names.get(name);
    return counts ? counts.size <= MAX_TEXTS_PER_NAME : names.size < MAX_NAMES;
  };
  return {
    observe(texts: ReadonlyMap<string, string>): void {
      for (const [name, text] of texts) {
        if (!names.has(name) && names.size < MAX_NAMES) names.set(ownCopy(name), new Map());
        const counts = names.get(name);
        const count = counts?.get(text);
        if (count !== undefined) counts?.set(text, count + 1);
        else if (hasFewValues(name)) counts?.set(ownCopy(text), 1);
      }
    },
    hasFewValues,
    /** Those with few values, in the order in which they were met. */
    all: (): readonly TextShares[] =>
      [...names].flatMap(([name, counts]) => {
        const values = [...counts].map(([text, count]) => ({ text, count }));
        return hasFewValues(name) ? [{ name, values: values.sort((a, b) => b.count - a.count) }] : [];
      }),
  };
}
