/**
 * Words and lines to be pasted into a shell: a POSIX one, and on Windows PowerShell. Where a
 * spelling works in both PowerShell and cmd, it is used: words in double quotes, `type FILE |`.
 */

/** `word` in the single quotes of a POSIX shell, in which nothing is expanded. */
export const posixQuoted = (word: string) => `'${word.replaceAll("'", "'\\''")}'`;

/** `bare`: words that need no quotes. */
const POSIX = { bare: /^[\w@%+:,./-][\w@%+=:,./-]*$/, quote: posixQuoted };

/**
 * A comma makes a list, @ takes a variable apart, % is cmd's, and Windows PowerShell cuts `-a.b` in
 * two.
 */
const WINDOWS: typeof POSIX = {
  bare: /^(?:[\w./\\][\w+=:./\\-]*|--?\w[\w-]*)$/,
  // In double quotes PowerShell expands $, cmd expands %, and a backslash at the end escapes the
  // quote.
  quote: (word) =>
    /["$`%!\u201c-\u201e]|\\$/.test(word) ? `'${word.replaceAll(/['\u2018-\u201b]/g, '$&$&')}'` : `"${word}"`,
};

const quotingOf = (platform: string) => (platform === 'win32' ? WINDOWS : POSIX);

/** `word` for a shell of `platform`, quoted if it needs to be. */
export function shellWord(word: string, platform: string): string {
  const { bare, quote } = quotingOf(platform);
  return bare.test(word) ? word : quote(word);
}

const shellWords = (words: readonly string[], platform: string) =>
  words.map((word) => shellWord(word, platform)).join(' ');

/**
 * The line that runs a program; `words` are its name and its arguments. PowerShell runs a quoted
 * name only after &.
 */
export function programLine(words: readonly string[], platform: string): string {
  const line = shellWords(words, platform);
  return platform === 'win32' && /^["']/.test(line) ? `& ${line}` : line;
}

/** A line that sets a variable, with its newline. */
export function settingLine(name: string, value: string, platform: string): string {
  if (platform === 'win32') return `$env:${name} = '${value.replaceAll("'", "''")}'\n`;
  return `export ${name}=${shellWord(value, platform)}\n`;
}

/** `command` with `file` as its input. PowerShell has no `<`. */
export function readingFrom(file: string, command: string, platform: string): string {
  return platform === 'win32' ? `type ${file} | ${command}` : `${command} < ${file}`;
}
