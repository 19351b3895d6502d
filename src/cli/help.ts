/**
 * Help, laid out by commander: `-h` is a screen of at most 80x24 (what it is, two examples, the
 * options most used), `--help` everything.
 */
import { Help, Option, Command as Parser } from 'commander';
import { argumentTerm, type Command, type CommandEntry, GLOBAL_FLAGS } from './command.ts';
import { type Flag, flagTerm } from './flag.ts';
import { TOPICS } from './topics.ts';

/** Not in the table of commands, since the reader of the command line handles it. */
export const HELP_COMMAND = { name: 'help', summary: 'Print help for a command, a topic or an error code' };
const MAX_SCREEN_WIDTH = 80;
const MAX_SCREEN_OPTIONS = 10;
const MAX_SCREEN_EXAMPLES = 2;

interface Page {
  /** `riskcli keys set` */
  readonly name: string;
  readonly usage: string;
  readonly description: string;
  readonly args?: Command['args'];
  readonly flags?: readonly Flag[];
  readonly commands?: readonly Listed[];
  /** Printed as they stand, below the rest. */
  readonly more: readonly string[];
}

interface Listed {
  readonly name: string;
  readonly summary: string;
  readonly group?: string;
}

function printed(
  { name, usage, description, args = [], flags = [], commands = [], more }: Page,
  width: number,
): string {
  const page = new Parser(name).usage(usage).description(description).helpOption(false).helpCommand(false);
  page.configureHelp({ helpWidth: width, minWidthToWrap: 20, subcommandTerm: (command) => command.name() });
  for (const argument of args) page.argument(argumentTerm(argument), argument.help);
  for (const flag of flags) {
    page.addOption(new Option(flagTerm(flag), flag.help).helpGroup(`${flag.group ?? 'Options'}:`));
  }
  for (const one of commands)
    page
      .command(one.name)
      .summary(one.summary)
      .helpGroup(`${one.group ?? 'Commands'}:`);
  return [page.helpInformation().trimEnd(), ...more.filter((text) => text !== '')].join('\n\n').concat('\n');
}

const ROOT = {
  name: 'riskcli',
  usage: '<command> [options]',
  description: 'Risk profiles of blockchain wallets, from the Wallet Risk Profile Service.',
};

/** `riskcli -h`: the commands and where to read more; `help` has its own line below them. */
export function rootScreen(commands: readonly CommandEntry[], helpWidth: number): string {
  const width = Math.min(helpWidth, MAX_SCREEN_WIDTH);
  const topics = wrapped(TOPICS.map(({ name }) => name).join(', '), width - 2);
  const more = `Example: riskcli profile --sandbox 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045
Documentation: riskcli help COMMAND, or one of these topics:
${topics.map((line) => `  ${line}`).join('\n')}`;
  return printed({ ...ROOT, commands, more: [more] }, width);
}

/** `riskcli --help`. */
export function rootHelp(commands: readonly CommandEntry[], width: number): string {
  const topics = TOPICS.map((topic) => ({ ...topic, group: 'Topics (riskcli help TOPIC)' }));
  const flags = GLOBAL_FLAGS.map((flag) => ({ ...flag, group: 'Options of every command' as const }));
  const listed = [...commands.map(({ name, summary }) => ({ name, summary })), HELP_COMMAND, ...topics];
  return printed(
    { ...ROOT, flags, commands: listed, more: ['Documentation: riskcli help COMMAND, or riskcli help TOPIC'] },
    width,
  );
}

/** `riskcli COMMAND -h`. */
export function commandScreen(command: Command, path: readonly string[], helpWidth: number): string {
  const width = Math.min(helpWidth, MAX_SCREEN_WIDTH);
  const { flags = [], screenFlags, subcommands } = command;
  const chosen = flags.filter(({ long }) => screenFlags?.includes(long) ?? true).slice(0, MAX_SCREEN_OPTIONS);
  // Only --help has more than the first clause.
  const brief = chosen.map(({ group: _, help, ...flag }) => ({ ...flag, help: help.split(/; | \(/, 1)[0] ?? '' }));
  const page = {
    ...titled(command, path),
    description: `${command.summary}.`,
    flags: brief,
    commands: subcommands,
    more: [exampleTexts(command, width, MAX_SCREEN_EXAMPLES), `All options: riskcli help ${path.join(' ')}`],
  };
  return printed(page, width);
}

/** `riskcli COMMAND --help`. */
export function commandHelp(command: Command, path: readonly string[], width: number): string {
  const { args, flags, subcommands, description = `${command.summary}.` } = command;
  const globals = wrapped(GLOBAL_FLAGS.map(spelling).join(', '), width - 2).map((line) => `  ${line}`);
  const page = {
    ...titled(command, path),
    // A single line break is only for readers of the source, unless the next line is indented.
    description: description.replace(/(?<!\n)\n(?![\n ])/g, ' '),
    args,
    flags,
    commands: subcommands,
    more: [
      `Options of every command (riskcli --help):\n${globals.join('\n')}`,
      exampleTexts(command, width),
      `More: riskcli help ${command.page}`,
    ],
  };
  return printed(page, width);
}

const titled = ({ args = [], subcommands }: Command, path: readonly string[]) => ({
  name: ['riskcli', ...path].join(' '),
  usage: ['[options]', ...(subcommands ? ['<command>'] : args.map(argumentTerm))].join(' '),
});

const spelling = ({ long, short }: Flag) => (short === undefined ? `--${long}` : `-${short}, --${long}`);

const wrapped = (text: string, width: number) => new Help().boxWrap(text, width).split('\n');

/** For each example what it does, and the line to copy, which is never wrapped. */
function exampleTexts({ examples = {} }: Command, width: number, most?: number): string {
  const shown = Object.entries(examples).slice(0, most);
  const lines = shown.flatMap(([line, does]) => [
    ...wrapped(does, width - 4).map((part) => `  # ${part}`),
    `  $ ${line}`,
  ]);
  return lines.length === 0 ? '' : ['Examples:', ...lines].join('\n');
}
