/**
 * Text of others (the service, files, file names) is hostile until it is escaped here: what a terminal would act on becomes
 * visible.
 */

/**
 * Characters that a terminal would act on, or that are invisible: C0, DEL, C1, line and paragraph separators, bidi controls,
 * other invisible marks, lone surrogates. One set, so that messages, tables and JSON escape the same.
 */
export const UNSAFE =
  // biome-ignore lint/suspicious/noMisleadingCharacterClass: single code units are meant, joined to nothing
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff\ufff9-\ufffb]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]|\udb40[\udc00-\udfff]/g;

/** Every UTF-16 code unit of `text` as `\uXXXX`. */
export function unitEscapes(text: string): string {
  let out = '';
  for (let i = 0; i < text.length; i++) out += `\\u${text.charCodeAt(i).toString(16).padStart(4, '0')}`;
  return out;
}

const NAMED: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** `text` with the characters of UNSAFE as JSON-style escapes. */
export function visible(text: string): string {
  return text.replace(UNSAFE, (found) => NAMED[found] ?? unitEscapes(found));
}
