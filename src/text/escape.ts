/**
 * Text of others (the service, files, file names) is hostile until it is escaped here: what a
 * terminal would act on becomes visible.
 */

/**
 * Characters that a terminal would act on, or that are invisible: C0, DEL, C1, line and paragraph
 * separators, bidi controls, other invisible marks, lone surrogates. And the first character of
 * what a CI runner obeys anywhere in a line of a log: `##[error]`, `##vso[`, `##teamcity[`. One
 * set, so that messages, tables and JSON escape the same.
 */
export const UNSAFE =
  // biome-ignore lint/suspicious/noMisleadingCharacterClass: single code units are meant
  /#(?=#[A-Za-z]*\[)|[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff\ufff9-\ufffb]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]|\udb40[\udc00-\udfff]/g;

/** Every UTF-16 code unit of `text` as `\uXXXX`. */
export function unitEscapes(text: string): string {
  let out = '';
  for (let i = 0; i < text.length; i++) out += `\\u${text.charCodeAt(i).toString(16).padStart(4, '0')}`;
  return out;
}

const SHORT_ESCAPES: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/**
 * GitHub's runner obeys `::set-output name=a::b` at the beginning of a line, to which any word may
 * come by wrapping. The names of its commands have letters that are no hexadecimal digits: IPv6
 * addresses are left as they are.
 */
const WORKFLOW_COMMAND = /:(?=:[A-Fa-f]*[G-Zg-z-])/g;

/**
 * `text` with the characters of UNSAFE, and the beginnings of runners' commands, as JSON-style
 * escapes.
 */
export function visible(text: string): string {
  return text
    .replace(UNSAFE, (found) => SHORT_ESCAPES[found] ?? unitEscapes(found))
    .replace(WORKFLOW_COMMAND, unitEscapes);
}
