/** Words and lines to be pasted into a shell: PowerShell on Windows, elsewhere a POSIX one. */

/** A word that no POSIX shell changes is left as it is. */
export function shellWord(word: string): string {
  return /^[\w@%+:,./-][\w@%+=:,./-]*$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

export const shellWords = (words: readonly string[]) => words.map(shellWord).join(' ');

/** A line that sets a variable, with its newline. */
export function settingLine(name: string, value: string, platform: string): string {
  if (platform === 'win32') return `$env:${name} = '${value.replaceAll("'", "''")}'\n`;
  return `export ${name}=${shellWord(value)}\n`;
}

/** `command` with what stands in `file` as its input. PowerShell has no `<`. */
export function readingFrom(file: string, command: string, platform: string): string {
  return platform === 'win32' ? `Get-Content ${file} | ${command}` : `${command} < ${file}`;
}
