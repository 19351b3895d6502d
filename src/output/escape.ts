/**
 * Text of others (the service, files, file names) is hostile until it has been through here: what a terminal would
 * obey is shown instead. Covers C0, DEL, C1, line and paragraph separators, bidi controls and other invisible marks.
 */
const UNSAFE =
  // biome-ignore lint/suspicious/noMisleadingCharacterClass: single code units are meant, joined to nothing
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff\ufff9-\ufffb]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]|\udb40[\udc00-\udfff]/g;

const NAMED: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

const hex = (unit: number) => `\\u${unit.toString(16).padStart(4, '0')}`;

/** `text` with everything that a terminal would act on, or that the eye would miss, as a visible JSON-style escape. */
export function visible(text: string): string {
  return text.replace(UNSAFE, (found) => NAMED[found] ?? [...found].map((c) => hexUnits(c)).join(''));
}

function hexUnits(character: string): string {
  let out = '';
  for (let i = 0; i < character.length; i++) out += hex(character.charCodeAt(i));
  return out;
}

/** JSON in which every control, separator and bidi mark is escaped, so that it can be printed on a terminal as it is. */
export function escapeJson(json: string): string {
  return json.replace(UNSAFE, (found) => (found === '\n' ? found : hexUnits(found)));
}

const SECRET_HEX = /(?<![0-9a-fA-F])(?:0[xX])?[0-9a-fA-F]{64}(?![0-9a-fA-F])/g;
const KEY_SHAPE = /[A-Za-z][A-Za-z0-9]*_[A-Za-z0-9_-]{12,}/g;

/** What the user typed, fit to be said back: escaped, shortened, and nothing in it that could be a key. */
export function quoted(text: string): string {
  const safe = visible(text.replace(SECRET_HEX, '<64 hex digits withheld>').replace(KEY_SHAPE, '<withheld>'));
  return `'${safe.length > 80 ? `${safe.slice(0, 77)}...` : safe}'`;
}
