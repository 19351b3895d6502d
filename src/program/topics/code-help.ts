/** What `riskcli help CODE` prints of an exit code or an error code. */
import { EXITS } from '../../cli/exits.ts';
import { ERROR_CODES, type ErrorCode, type ErrorKind } from '../../error-codes.ts';
import { ERROR_HELP } from './error-help.ts';
import type { Block } from './page.ts';

const kinds: Readonly<Record<string, ErrorKind>> = ERROR_CODES;
const isErrorCode = (word: string): word is ErrorCode => Object.hasOwn(kinds, word);

/** The page of `word`; undefined when it is neither an exit code nor an error code. */
export function codeHelp(word: string): readonly Block[] | undefined {
  if (isErrorCode(word)) return errorHelp(word);
  const exit = EXITS.find(({ code }) => String(code) === word);
  if (!exit) return undefined;
  const codes = Object.keys(kinds).filter((code): code is ErrorCode => kinds[code]?.exits.includes(exit.code) ?? false);
  return [
    { kind: 'heading', level: 2, text: `Exit code ${exit.code}` },
    { kind: 'text', text: sentence(exit.meaning) },
    ...codes.flatMap(errorHelp),
  ];
}

function errorHelp(code: ErrorCode): readonly Block[] {
  const { cause, remedy, again } = ERROR_HELP[code];
  const { exits, means }: ErrorKind = ERROR_CODES[code];
  const where = exits.length > 0 ? `exit ${exits.join(', ')}` : 'of a row';
  return [
    { kind: 'heading', level: 2, text: `${code} (${where})` },
    { kind: 'text', text: sentence(means) },
    {
      kind: 'table',
      head: ['', ''],
      rows: [
        ['Why', cause],
        ['Do', remedy],
        ['Again', again],
      ],
    },
  ];
}

/** Capitalises a sentence, unless it starts with the name of a setting. */
const sentence = (text: string) => `${/^\w+-/.test(text) ? text[0] : text[0]?.toUpperCase()}${text.slice(1)}.`;
