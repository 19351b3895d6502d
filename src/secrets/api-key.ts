/** Finds API keys: known ones, whole or in part, and texts that look like one. */

/**
 * A prefix, an underscore and URL-safe characters (docs/service.md, The key). The keys of a sandbox
 * are no secret.
 */
const KEY_SHAPE = /(?<![A-Za-z0-9])(?!sandbox_)[A-Za-z0-9]{1,32}_([A-Za-z0-9_-]{16,})/g;
/**
 * A date, and a time behind it, as in names of files: `2026-11-20T101010Z`, `20261120_1010`. It is
 * not random.
 */
const TIMESTAMP = /(?<!\d)(?:19|20)\d\d([_-]?)[01]\d\1[0-3]\d(?:[T_-]?[0-2]\d[_-]?[0-5]\d(?:[_-]?[0-5]\d)?Z?)?(?!\d)/g;
/** A letter beside a digit, or a capital inside a word. Names of files have few of them. */
const CHANGE = /(?<=[A-Za-z])(?=\d)|(?<=\d)(?=[A-Za-z])|(?<=[a-z])(?=[A-Z])/g;
const RANDOM_CHANGES = 4;
/** Letters and digits in one piece that is longer than the words and dates of a name. */
const LONG_RUN = /[A-Za-z0-9]{20,}/g;
/** Anything shorter is not a key, and could be part of any text. */
export const MIN_SECRET_LENGTH = 8;
/** The marker in the place of an API key. */
export const KEY_MARKER = '<withheld>';

/**
 * `text` without what may be an API key, typed by mistake as a file, an environment or a condition:
 * the `known` keys, and what has the shape of a key and looks random. `my_wallets_2026_final.csv`
 * stays.
 */
export function redactApiKeys(text: string, known: readonly (string | undefined)[] = []): string {
  const rest = known.reduce<string>((all, key) => (key ? all.replaceAll(key, KEY_MARKER) : all), text);
  return rest.replace(KEY_SHAPE, (found, random: string) => (looksRandom(random) ? KEY_MARKER : found));
}

/** Documents have names of markets and pools as `aave_0x...`. */
const ADDRESS_INSIDE_NAME = /0x[0-9A-Fa-f]{40}(?![0-9A-Fa-f])/g;

function looksRandom(found: string): boolean {
  const text = found.replace(ADDRESS_INSIDE_NAME, '-').replace(TIMESTAMP, '-');
  if (!isMixed(text)) return false;
  return (text.match(CHANGE)?.length ?? 0) >= RANDOM_CHANGES || (text.match(LONG_RUN)?.some(isMixed) ?? false);
}

const isMixed = (text: string) => /\d/.test(text) && /[A-Za-z]/.test(text);

/** The part that shows which service a key is for, and is not secret (docs/service.md, The key). */
const SERVICE_PREFIX = /^[A-Za-z][A-Za-z0-9]{0,9}_/;

/**
 * With fewer characters after the prefix, the last four would be too much of the secret to show.
 */
const ENOUGH_TO_SHOW_FOUR = 16;
const ENOUGH_TO_SHOW_PREFIX = 8;

/**
 * `wrp_****1a2b`: the prefix (docs/service.md, The key) and the last four characters; a short key
 * shows less.
 */
export function maskKey(key: string): string {
  const [prefix = ''] = SERVICE_PREFIX.exec(key) ?? [];
  const secret = key.length - prefix.length;
  const shown = secret < ENOUGH_TO_SHOW_PREFIX ? '' : prefix;
  return `${shown}****${secret < ENOUGH_TO_SHOW_FOUR ? '' : key.slice(-4)}`;
}

/**
 * This many consecutive characters of a key are never shown: a service may quote part of it, most
 * often a few at its end.
 */
const MIN_PART_LENGTH = 6;
/** How many characters are searched, more than are ever quoted. */
const MAX_QUOTED_LENGTH = 1000;

/**
 * The beginning of `text`, with each part of `key` redacted; if it holds a part in another
 * spelling, all of it is redacted. Case is ignored, since the host of a redirect loses it.
 */
export function redactPartsOf(text: string, key = ''): string {
  const shown = text.slice(0, MAX_QUOTED_LENGTH);
  const [folded, secret] = [inLowerCase(shown), inLowerCase(key)];
  let out = '';
  for (let start = 0; start < shown.length; ) {
    let end = start;
    while (end < shown.length && secret.includes(folded.slice(start, end + 1))) end++;
    const isPart = end - start >= MIN_PART_LENGTH;
    out += isPart ? KEY_MARKER : shown[start];
    start = isPart ? end : start + 1;
  }
  return holdsPart(out, key) ? KEY_MARKER : out;
}

/** As long as `text`: a letter that is longer in lower case, such as U+0130, stays as it is. */
const inLowerCase = (text: string) =>
  text.replace(/\p{Lu}/gu, (letter) => {
    const lower = letter.toLowerCase();
    return lower.length === letter.length ? lower : letter;
  });

/** Names of headers that carry credentials. */
const SECRET_NAME = /authori[sz]|cookie|token|secret|password|session|api-?key/;

/**
 * Whether the value of a header must not be shown, because of its name, or because it has a part of
 * `key`.
 */
export function isSecretHeader(name: string, value: string, key = ''): boolean {
  return SECRET_NAME.test(name) || holdsPart(value, key);
}

/** Whether `text` has a part of the key's random characters, however it is spelled. */
function holdsPart(text: string, key: string): boolean {
  const secret = lettersOf(key.replace(SERVICE_PREFIX, ''));
  const parts = new Set<string>();
  for (let i = 0; i + MIN_PART_LENGTH <= secret.length; i++) parts.add(secret.slice(i, i + MIN_PART_LENGTH));
  return parts.size > 0 && readings(text).some((reading) => hasAny(lettersOf(reading), parts));
}

function hasAny(text: string, parts: ReadonlySet<string>): boolean {
  for (let i = 0; i + MIN_PART_LENGTH <= text.length; i++)
    if (parts.has(text.slice(i, i + MIN_PART_LENGTH))) return true;
  return false;
}

/** The letters and digits of `text`, without what may stand between them: spaces, colons, NULs. */
const lettersOf = (text: string) => text.toLowerCase().replace(/[^a-z0-9]/g, '');

/**
 * What `text` may mean: as it is, percent-encoded, escaped for HTML, in base 64, in hex. Where an
 * encoded part begins is not known, so it is read from each place at which it could.
 */
function readings(text: string): readonly string[] {
  // Twice, for what a service encodes and a gateway encodes again.
  const plain = unescaped(unescaped(text));
  const base64 = plain.replace(/[^A-Za-z0-9+/_-]/g, '');
  const hex = plain.replace(/[0\\]x|[^0-9a-f]/gi, '');
  return [
    text,
    plain,
    ...[0, 1, 2, 3].map((from) => Buffer.from(base64.slice(from), 'base64').toString('latin1')),
    ...[0, 1].map((from) => Buffer.from(hex.slice(from), 'hex').toString('latin1')),
  ];
}

/** Of percent-encoding and character references: `&#x61;`, `&#97;`; a name is never a letter's. */
const unescaped = (text: string) =>
  text
    .replace(/%([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replace(/&#x0*([0-9a-f]{1,4});?/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replace(/&#0*(\d{1,5});?/g, (_, decimal) => String.fromCharCode(Number(decimal)))
    .replace(/&(amp|\w+);/gi, (_, name) => (name.toLowerCase() === 'amp' ? '&' : '_'));
