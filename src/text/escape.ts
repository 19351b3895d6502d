/**
 * Text of others (the service, files, file names) is hostile until it has been through here: what a terminal would
 * obey is shown instead.
 */

import { withhold } from './secret.ts';
import { UNSAFE, unitEscapes } from './unsafe.ts';

const NAMED: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** `text` with everything that a terminal would act on, or that the eye would miss, as a visible JSON-style escape. */
export function visible(text: string): string {
  return text.replace(UNSAFE, (found) => NAMED[found] ?? unitEscapes(found));
}

const MAX_QUOTED = 80;
// Looked at no further than this: the patterns take time that is quadratic in the text, and there may be 10 MB of it.
const MAX_READ = 10 * MAX_QUOTED;

/** A prefix, an underscore and URL-safe characters (contract, section 2.4). The keys of a sandbox are no secret. */
const KEY_SHAPE = /(?<![A-Za-z0-9])(?!sandbox_)[A-Za-z0-9]{1,32}_([A-Za-z0-9_-]{16,})/g;
/** A letter beside a digit, or a capital inside a word. Names of files have few of them, a timestamp has three. */
const CHANGE = /(?<=[A-Za-z])(?=\d)|(?<=\d)(?=[A-Za-z])|(?<=[a-z])(?=[A-Z])/g;
const RANDOM_CHANGES = 4;
/** Letters and digits in one piece that is longer than the words and dates of a name. */
const LONG_RUN = /[A-Za-z0-9]{20,}/g;
const KEY_WITHHELD = '<withheld>';

/**
 * `text` without what may be an API key: somebody typed it as a file, an environment, a condition. What is `known` to be
 * one goes, and what has the shape of one and looks random. `my_wallets_2026_final.csv` stays.
 */
export function withholdKeys(text: string, known: readonly string[] = []): string {
  const rest = known.reduce((all, key) => all.replaceAll(key, KEY_WITHHELD), text);
  return rest.replace(KEY_SHAPE, (found, random: string) => (looksRandom(random) ? KEY_WITHHELD : found));
}

function looksRandom(text: string): boolean {
  if (!isMixed(text)) return false;
  return (text.match(CHANGE)?.length ?? 0) >= RANDOM_CHANGES || (text.match(LONG_RUN)?.some(isMixed) ?? false);
}

const isMixed = (text: string) => /\d/.test(text) && /[A-Za-z]/.test(text);

/** A name in full: escaped, what may be an API key or a private key withheld. */
export function visibleName(text: string): string {
  return visible(withholdKeys(withhold(text)));
}

/** A name in quotes, shortened. */
export function quoted(text: string): string {
  const safe = visibleName(text.slice(0, MAX_READ));
  return `'${safe.length > MAX_QUOTED ? `${safe.slice(0, MAX_QUOTED - 3)}...` : safe}'`;
}

const LOOSE_KEY_SHAPE = /[A-Za-z][A-Za-z0-9]*_[A-Za-z0-9_-]{12,}/g;

/** The same for words where no name belongs (a number, an option): whatever might be a key goes, random or not. */
export function quotedWord(text: string): string {
  return quoted(text.slice(0, MAX_READ).replace(LOOSE_KEY_SHAPE, KEY_WITHHELD));
}
