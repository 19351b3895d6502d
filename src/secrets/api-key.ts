/** Finds API keys: known ones, whole or in part, and texts that look like one. */

/** A prefix, an underscore and URL-safe characters (contract, section 2.4). The keys of a sandbox are no secret. */
const KEY_SHAPE = /(?<![A-Za-z0-9])(?!sandbox_)[A-Za-z0-9]{1,32}_([A-Za-z0-9_-]{16,})/g;
/** A letter beside a digit, or a capital inside a word. Names of files have few of them, a timestamp has three. */
const CHANGE = /(?<=[A-Za-z])(?=\d)|(?<=\d)(?=[A-Za-z])|(?<=[a-z])(?=[A-Z])/g;
const RANDOM_CHANGES = 4;
/** Letters and digits in one piece that is longer than the words and dates of a name. */
const LONG_RUN = /[A-Za-z0-9]{20,}/g;
/** What stands in the place of an API key. */
export const KEY_WITHHELD = '<withheld>';

/**
 * `text` without what may be an API key, typed by mistake as a file, an environment or a condition: the `known` keys, and what
 * has the shape of a key and looks random. `my_wallets_2026_final.csv` stays.
 */
export function withholdApiKeys(text: string, known: readonly (string | undefined)[] = []): string {
  const rest = known.reduce<string>((all, key) => (key ? all.replaceAll(key, KEY_WITHHELD) : all), text);
  return rest.replace(KEY_SHAPE, (found, random: string) => (looksRandom(random) ? KEY_WITHHELD : found));
}

function looksRandom(text: string): boolean {
  if (!isMixed(text)) return false;
  return (text.match(CHANGE)?.length ?? 0) >= RANDOM_CHANGES || (text.match(LONG_RUN)?.some(isMixed) ?? false);
}

const isMixed = (text: string) => /\d/.test(text) && /[A-Za-z]/.test(text);

/** With fewer characters after the prefix, the last four would be too much of the secret to show. */
const ENOUGH_TO_SHOW_FOUR = 16;
const ENOUGH_TO_SHOW_PREFIX = 8;

/** `wrp_****1a2b`: the prefix (contract, section 2.4) and the last four characters; a short key shows less. */
export function maskKey(key: string): string {
  const [, prefix = ''] = /^([A-Za-z][A-Za-z0-9]{0,9}_)/.exec(key) ?? [];
  const secret = key.length - prefix.length;
  const shown = secret < ENOUGH_TO_SHOW_PREFIX ? '' : prefix;
  return `${shown}****${secret < ENOUGH_TO_SHOW_FOUR ? '' : key.slice(-4)}`;
}

/** This many consecutive characters of a key are never shown: a service may quote part of it, most often a few at its end. */
const MIN_PART_LENGTH = 6;
/** How many characters are searched, more than are ever quoted. */
const MAX_QUOTED_LENGTH = 1000;

/** The beginning of `text` without any part of `key`. Case is ignored, since the host of a redirect loses it. */
export function withholdPartsOf(text: string, key = ''): string {
  const shown = text.slice(0, MAX_QUOTED_LENGTH);
  const [folded, secret] = [inLowerCase(shown), inLowerCase(key)];
  let out = '';
  for (let start = 0; start < shown.length; ) {
    let end = start;
    while (end < shown.length && secret.includes(folded.slice(start, end + 1))) end++;
    const isPart = end - start >= MIN_PART_LENGTH;
    out += isPart ? KEY_WITHHELD : shown[start];
    start = isPart ? end : start + 1;
  }
  return out;
}

/** As long as `text`: a letter that is longer in lower case, such as U+0130, stays as it is. */
const inLowerCase = (text: string) =>
  text.replace(/\p{Lu}/gu, (letter) => {
    const lower = letter.toLowerCase();
    return lower.length === letter.length ? lower : letter;
  });

/** Names of headers that carry credentials. */
const SECRET_NAME = /authori[sz]|cookie|token|secret|password|session|api-?key/;

/** Whether the value of a header must not be shown, because of its name, or because it contains `key`. */
export function isSecretHeader(name: string, value: string, key: string | undefined): boolean {
  return SECRET_NAME.test(name) || (key !== undefined && holds(value, key));
}

/** Whether `text` contains the key: as it is, in another case, percent-encoded or in base 64. */
function holds(text: string, key: string): boolean {
  const has = (form: string) => form.toLowerCase().includes(key.toLowerCase());
  const pieces = text.match(/[A-Za-z0-9+/_-]{8,}/g) ?? [];
  return has(text) || has(text.replace(/%([0-9a-f]{2})/gi, fromHex)) || pieces.some((piece) => has(fromBase64(piece)));
}

const fromHex = (_: string, hex: string) => String.fromCharCode(Number.parseInt(hex, 16));
const fromBase64 = (text: string) => Buffer.from(text, 'base64').toString('latin1');
