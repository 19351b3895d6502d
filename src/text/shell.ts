/**
 * Words and lines to be pasted into a shell: a POSIX one, and on Windows PowerShell. What PowerShell and cmd both take is written
 * so that they do: words between double quotes, `type FILE |`.
 */

/** `bare` is what the shell leaves as it is. */
const POSIX = {
  bare: /^[\w@%+:,./-][\w@%+=:,./-]*$/,
  quote: (word: string) => `'${word.replaceAll("'", "'\\''")}'`,
};

/** A comma makes a list, @ takes a variable apart, % is cmd's, and Windows PowerShell cuts `-a.b` in two. */
const WINDOWS: typeof POSIX = {
  bare: /^(?:[\w./\\][\w+=:./\\-]*|--?\w[\w-]*)$/,
  // Within double quotes PowerShell puts variables in, cmd those between %, and a back slash at the end hides the quote.
  quote: (word) =>
    /["$`%!\u201c-\u201e]|\\$/.test(word) ? `'${word.replaceAll(/['\u2018-\u201b]/g, '$&$&')}'` : `"${word}"`,
};

const quotingOf = (platform: string) => (platform === 'win32' ? WINDOWS : POSIX);

/** A word that no shell of `platform` changes is left as it is. */
export function shellWord(word: string, platform: string): string {
  const { bare, quote } = quotingOf(platform);
  return bare.test(word) ? word : quote(word);
}

export const shellWords = (words: readonly string[], platform: string) =>
  words.map((word) => shellWord(word, platform)).join(' ');

/** The line that runs a program, `words` being its name and its arguments. PowerShell prints what is quoted, unless & is before it. */
export function programLine(words: readonly string[], platform: string): string {
  const line = shellWords(words, platform);
  return platform === 'win32' && /^["']/.test(line) ? `& ${line}` : line;
}

/** A line that sets a variable, with its newline. */
export function settingLine(name: string, value: string, platform: string): string {
  if (platform === 'win32') return `$env:${name} = '${value.replaceAll("'", "''")}'\n`;
  return `export ${name}=${shellWord(value, platform)}\n`;
}

/** What stands for the variable `name` in a line. */
export const variableWord = (name: string, platform: string) => (platform === 'win32' ? `$env:${name}` : `"$${name}"`);

/** `command` with what stands in `file` as its input. PowerShell has no `<`. */
export function readingFrom(file: string, command: string, platform: string): string {
  return platform === 'win32' ? `type ${file} | ${command}` : `${command} < ${file}`;
}
