/** What `riskcli help CODE` prints of an exit code or an error code: what it means, and what to do. */
import { EXITS } from '../cli/exits.ts';
import { ERROR_CODES, type ErrorKind } from '../error-codes.ts';

const kinds: ReadonlyMap<string, ErrorKind> = new Map(Object.entries(ERROR_CODES));

/** The two lines on `word`; undefined when it is neither an exit code nor an error code. */
export function codeHelp(word: string): string | undefined {
  const exit = EXITS.find(({ code }) => String(code) === word);
  if (exit) return `exit ${word}: ${exit.meaning}\n${exit.next}\n`;
  const kind = kinds.get(word);
  if (!kind) return undefined;
  const { exits, means, next } = kind;
  return `${word} (${exits.length > 0 ? `exit ${exits.join(', ')}` : 'of a row'}): ${means}\n${next}\n`;
}
