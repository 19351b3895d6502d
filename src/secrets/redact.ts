/**
 * The secrets that are redacted, and where. There are two kinds of secrets: API keys (api-key.ts),
 * and private keys in digits or as wallets export them (private-key.ts).
 *
 * - Names, paths, conditions and other words that a message repeats: API keys and private keys, by
 *   `quoted`, `visibleName` and `commandLine`. Where no name belongs (a number, an option),
 *   `quotedWord` takes more for an API key.
 * - Every line on stderr: API keys, and those of this run whatever they look like (`report.redact`
 *   tells which).
 * - Findings of doctor: API keys, and the key of this run. Errors in the table of health and in the
 *   line for Nagios: API keys.
 * - A wallet in an argument, lines, cells, headings and JSON of a list: private keys, by
 *   `redactPrivateKeys` and `redactTree` (document/redact-tree.ts); hashes under a name that says
 *   so are kept (`redactUnder`). One in the place of a wallet is not sent (`holdsPrivateKey`).
 * - Rows of earlier runs in `diff` and in the page of a report: the same.
 * - Notes and reasons of a policy: private keys. A rule's name that holds a secret is refused.
 * - Words of the service about a failure: every part of the key that was sent, in any spelling, by
 *   `redactPartsOf`; so no row, file or message has one.
 * - Headers of answers: what lets others in, and what has a part of the key in any spelling, by
 *   `isSecretHeader`, before anything shows or quotes one.
 * - Names of --fields: API keys and private keys.
 * - The key in `keys` and `doctor`: its prefix and end, by `maskKey`.
 * - An environment's name or a key's command that holds a key is refused, and not stored.
 *
 * An answer of the service is not searched: on stdout and in a journal it is as it came.
 */
import { beginningOf } from '../text/cut.ts';
import { visible } from '../text/escape.ts';
import { programLine } from '../text/shell.ts';
import { KEY_MARKER, redactApiKeys } from './api-key.ts';
import { redactPrivateKeys } from './private-key.ts';

const MAX_QUOTED = 80;
// Only this much is searched: the patterns take time that is quadratic in the text, and there may
// be 10 MB of it.
const MAX_READ = 10 * MAX_QUOTED;

/** `text` without what may be an API key, the `known` ones among them, or a private key. */
export function redactSecrets(text: string, known: readonly (string | undefined)[] = []): string {
  return redactApiKeys(redactPrivateKeys(text), known);
}

/** A name in full: escaped, what may be an API key or a private key redacted. */
export function visibleName(text: string): string {
  return visible(redactSecrets(text));
}

/**
 * A command line to be pasted into a shell of `platform`: a name in it runs nothing, whatever it
 * is.
 */
export const commandLine = (words: readonly string[], platform: string): string =>
  programLine(words.map(visibleName), platform);

/** A name in quotes, shortened. */
export function quoted(text: string): string {
  const safe = visibleName(text.slice(0, MAX_READ));
  return `'${safe.length > MAX_QUOTED ? `${beginningOf(safe, MAX_QUOTED - 3)}...` : safe}'`;
}

const LOOSE_KEY_SHAPE = /[A-Za-z][A-Za-z0-9]*_[A-Za-z0-9_-]{12,}/g;

/**
 * The same for words that are not names (a number, an option): whatever might be a key is redacted,
 * random or not.
 */
export function quotedWord(text: string): string {
  return quoted(text.slice(0, MAX_READ).replace(LOOSE_KEY_SHAPE, KEY_MARKER));
}
