/** Help: `-h` is a screen of at most 80x24 (what it is, three examples, the options most used), `--help` is everything. */
import { argumentTerm, type Command, type CommandEntry } from '../cli/command.ts';
import { type Flag, flagTerm } from '../cli/flag.ts';
import { GLOBAL_FLAGS } from '../cli/global-flags.ts';
import { joinWrapped, wrapped } from '../text/words.ts';
import { TOPICS } from './topics.ts';

/** Not in the table of commands, since the reader of the command line handles it. */
export const HELP_COMMAND = { name: 'help', summary: 'Print help for a command, a topic or an error code' };
const MAX_SCREEN_WIDTH = 80;
const MAX_SCREEN_OPTIONS = 10;

type Term = readonly [term: string, meaning: string];

/** `riskcli -h`: the commands, and where more is explained. */
export function rootScreen(commands: readonly CommandEntry[], helpWidth: number): string {
  const width = Math.min(helpWidth, MAX_SCREEN_WIDTH);
  const rows = [...commands, HELP_COMMAND].map(({ name, summary }): Term => [name, summary]);
  return `Usage: riskcli <command> [options]

${wrapped('Risk profiles of blockchain wallets, from the Wallet Risk Profile Service.', width).join('\n')}

${terms(rows, width)}

${exampleLines('riskcli profile --sandbox 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045', width).join('\n')}
${wrapped('Documentation: riskcli help <command>, or one of these topics:', width).join('\n')}
${list(
  TOPICS.map(({ name }) => name),
  width,
)}
`;
}

function exampleLines(line: string, width: number): readonly string[] {
  const whole = `Example: ${line}`;
  return whole.length <= width ? [whole] : ['Example:', ...codeLines(line, width)];
}

/** `riskcli --help`. */
export function rootHelp(commands: readonly CommandEntry[], width: number): string {
  return sections([
    rootScreen(commands, width).trimEnd(),
    section('Options of every command', terms(GLOBAL_FLAGS.map(flagRow), width)),
    section(
      'Topics (riskcli help TOPIC)',
      terms(
        TOPICS.map(({ name, summary }) => [name, summary]),
        width,
      ),
    ),
  ]);
}

/** `riskcli COMMAND -h`. */
export function commandScreen(command: Command, words: readonly string[], helpWidth: number): string {
  const { examples = [], flags = [], subcommands, screenFlags } = command;
  const chosen = flags.filter(({ long }) => screenFlags?.includes(long) ?? true);
  const rows =
    subcommands?.map(({ name, summary }): Term => [name, summary]) ?? chosen.slice(0, MAX_SCREEN_OPTIONS).map(flagRow);
  const width = Math.min(helpWidth, MAX_SCREEN_WIDTH);
  return sections([
    wrapped(`${command.summary}.`, width).join('\n'),
    `Usage: ${usage(command, words)}`,
    exampleTexts(examples.slice(0, 3), width),
    rows.length > 0 ? briefTerms(rows, width) : '',
    `All options: riskcli help ${words.join(' ')}`,
  ]);
}

/** `riskcli COMMAND --help`. */
export function commandHelp(command: Command, words: readonly string[], width: number): string {
  const { args = [], flags = [], subcommands = [], examples = [], page } = command;
  const groupOf = ({ group }: Flag) => group ?? 'Options';
  const groups = [...new Set(flags.map(groupOf))];
  const rowsOf = (group: string) => flags.filter((flag) => groupOf(flag) === group).map(flagRow);
  return sections([
    reflowed(command.description ?? `${command.summary}.`, width),
    `Usage: ${usage(command, words)}`,
    section(
      'Arguments',
      terms(
        args.map(({ name, help }) => [name, help]),
        width,
      ),
    ),
    ...groups.map((group) => section(group, terms(rowsOf(group), width))),
    section(
      'Commands',
      terms(
        subcommands.map(({ name, summary }) => [name, summary]),
        width,
      ),
    ),
    section('Options of every command (riskcli --help)', list(GLOBAL_FLAGS.map(spelling), width)),
    section('Examples', exampleTexts(examples, width)),
    `More: riskcli help ${page}`,
  ]);
}

function usage({ args = [], subcommands }: Command, words: readonly string[]): string {
  const taken = subcommands ? ['<command>'] : args.map(argumentTerm);
  return ['riskcli', ...words, '[options]', ...taken].join(' ');
}

const spelling = ({ long, short }: Flag) => (short === undefined ? `--${long}` : `-${short}, --${long}`);

const flagRow = (flag: Flag): Term => [flagTerm(flag), flag.help];

/** What each does, and the line to copy, broken before an option where it is wider than the terminal. */
const exampleTexts = (examples: NonNullable<Command['examples']>, width: number) =>
  examples
    .flatMap(({ line, does }) => [
      ...wrapped(does, width - 4).map((part) => `  # ${part}`),
      ...codeLines(`$ ${line}`, width),
    ])
    .join('\n');

/** A command is broken before an option, an operator or an address, and never within quotes. */
function codeLines(line: string, width: number): readonly string[] {
  if (line.length + 2 <= width) return [`  ${line}`];
  const at =
    [...line.slice(0, width - 4).matchAll(/ (?=-|\||&&|>|\{|0x)/g)]
      .map(({ index }) => index)
      .findLast((index) => OUTSIDE_QUOTES.test(line.slice(0, index))) ?? -1;
  if (at <= 4) return [`  ${line}`];
  return [`  ${line.slice(0, at)} \\`, ...codeLines(`    ${line.slice(at + 1)}`, width)];
}

const OUTSIDE_QUOTES = /^(?:[^'"]|'[^']*'|"[^"]*")*$/;

const sections = (texts: readonly string[]) => `${texts.filter((text) => text !== '').join('\n\n')}\n`;
const section = (heading: string, text: string) => (text === '' ? '' : `${heading}:\n${text}`);

/** Terms in a column, and what they mean beside it. */
function terms(rows: readonly Term[], width: number): string {
  const column = Math.max(...rows.map(([term]) => term.length)) + 4;
  return rows
    .flatMap(([term, meaning]) =>
      wrapped(meaning, width - column).map((line, i) => (i === 0 ? `  ${term}` : '').padEnd(column) + line),
    )
    .join('\n');
}

/** The same, with meanings cut to their first clause if they do not fit on a line of 80 columns. */
function briefTerms(rows: readonly Term[], width: number): string {
  const room = MAX_SCREEN_WIDTH - Math.max(...rows.map(([term]) => term.length)) - 4;
  const isBalanced = (text: string) => text.split('(').length === text.split(')').length;
  const brief = (meaning: string) =>
    [meaning, ...['; ', ' (', ': ', ', '].map((mark) => meaning.split(mark, 1)[0] ?? '')].find(
      (text) => text.length <= room && isBalanced(text),
    ) ?? meaning;
  return terms(
    rows.map(([term, meaning]) => [term, brief(meaning)]),
    width,
  );
}

const list = (items: readonly string[], width: number) =>
  joinWrapped(items, width - 2)
    .map((line) => `  ${line}`)
    .join('\n');

/** Paragraphs for `width` columns; one with an indented line keeps its lines. */
function reflowed(text: string, width: number): string {
  const paragraphs = text.trim().split(/\n\n+/);
  return paragraphs
    .map((one) => (/^ /m.test(one) ? one : wrapped(one.replaceAll('\n', ' '), width).join('\n')))
    .join('\n\n');
}
