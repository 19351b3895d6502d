/**
 * Text of others (the service, files, file names) is hostile until it has been through here: what a terminal would
 * obey is shown instead.
 */
import { UNSAFE, unitEscapes } from '../document/unsafe.ts';
import { withhold } from '../wallet/secret.ts';

const NAMED: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** `text` with everything that a terminal would act on, or that the eye would miss, as a visible JSON-style escape. */
export function visible(text: string): string {
  return text.replace(UNSAFE, (found) => NAMED[found] ?? unitEscapes(found));
}

const KEY_SHAPE = /[A-Za-z][A-Za-z0-9]*_[A-Za-z0-9_-]{12,}/g;
const MAX_QUOTED = 80;
// Looked at no further than this: the patterns above take time that is quadratic in the text, and there may be 10 MB of it.
const MAX_READ = 10 * MAX_QUOTED;

/** A name in full: escaped, without what may be a private key. */
export function visibleName(text: string): string {
  return visible(withhold(text));
}

/** A name in quotes, shortened. */
export function quoted(text: string): string {
  const safe = visibleName(text.slice(0, MAX_READ));
  return `'${safe.length > MAX_QUOTED ? `${safe.slice(0, MAX_QUOTED - 3)}...` : safe}'`;
}

/** Like `quoted`, for words typed where they make no sense: what has the shape of an API key is withheld too. */
export function quotedWord(text: string): string {
  return quoted(text.slice(0, MAX_READ).replace(KEY_SHAPE, '<withheld>'));
}
