/**
 * The command table as a tree of commander's commands. All of it comes from the table, so that help, parser and completions agree.
 */
import { Command as CommanderCommand, Option } from 'commander';
import { argumentTerm, type Command } from '../cli/command.ts';
import { type Flag, flagTerm, type ParsedArgs } from '../cli/flag.ts';
import { GLOBAL_FLAGS, HELP_FLAG, VERSION_FLAG } from '../cli/global-flags.ts';
import { loadCommand } from '../commands/index.ts';
import { checkTyped } from './check-typed.ts';
import type { CommandTable } from './command-line.ts';
import { commandHelp, commandScreen, rootHelp, rootScreen } from './help.ts';

export { CommanderError } from 'commander';

/** The state of reading one command line. */
export interface ParserState {
  readonly program: CommanderCommand;
  /** The command that commander is at, and its row of the table; the root has none. */
  current: CommanderCommand;
  command?: Command;
  text: string;
  /** Flags that were given twice, and must not be. */
  readonly twice: Flag[];
  /** Whether help is limited to a screen (-h); otherwise `width` is its width. */
  readonly isScreen: boolean;
  readonly width: number;
  /** The words behind `help`. */
  helpFor?: readonly string[];
}

/** `['keys', 'set']`: the names below the root. */
export function namesOf(command: CommanderCommand): string[] {
  return command.parent ? [...namesOf(command.parent), command.name()] : [];
}

/** The commander tree. A command's file is loaded, and its options are added, when commander reaches it. */
export function createParser({ version, commands, width = 80 }: CommandTable, isScreen: boolean): ParserState {
  const program = new CommanderCommand('riskcli');
  const reading: ParserState = { program, current: program, text: '', twice: [], isScreen, width };
  configure(program, reading)
    .version(version, flagTerm(VERSION_FLAG), VERSION_FLAG.help)
    .configureHelp({ formatHelp: () => (isScreen ? rootScreen(commands, width) : rootHelp(commands, width)) });
  for (const flag of GLOBAL_FLAGS) program.addOption(toOption(flag, reading.twice));
  for (const { name, summary } of commands) configure(program.command(name), reading).summary(summary);
  program.hook('preSubcommand', async (_, command) => {
    const entry = commands.find(({ name }) => name === command.name());
    if (entry) fillCommand(command, await loadCommand(entry), reading);
  });
  addHelpCommand(program, reading, async (name) => {
    const names = program.commands.map((command) => command.name());
    if (names.includes(name)) return false;
    const page = await pageAbout(name);
    if (page === undefined) throw (await import('./usage-error.ts')).unknownPage(name, names);
    reading.text = page;
    return true;
  });
  // People try this before --version.
  configure(program.command('version', { hidden: true }), reading).action(() => {
    reading.text = `${version}\n`;
  });
  return reading;
}

/** The page of the topic, or else the lines on the exit or error code, `name`. */
async function pageAbout(name: string): Promise<string | undefined> {
  const { topicPage } = await import('./topics.ts');
  const { codeHelp } = await import('./code-help.ts');
  return topicPage(name) ?? codeHelp(name);
}

/**
 * Replaces commander's own, which sees one level and only what has been loaded.
 * @param printPage prints the page of this name that is not about a command, if there is one
 */
function addHelpCommand(
  parent: CommanderCommand,
  reading: ParserState,
  printPage: (name: string) => Promise<boolean> = async () => false,
): void {
  parent.helpCommand(false);
  configure(parent.command('help [command...]'), reading)
    .summary(parent.parent ? 'print help for a command' : 'print help for a command or a topic')
    .action(async (names: readonly string[]) => {
      const [name, ...more] = names;
      const isPage = name !== undefined && more.length === 0 && (await printPage(name));
      if (!isPage) reading.helpFor = [...namesOf(parent), ...names];
    });
}

function configure(command: CommanderCommand, reading: ParserState): CommanderCommand {
  const print = (piece: string) => {
    reading.text += piece;
  };
  return command
    .exitOverride()
    .configureOutput({ writeOut: print, writeErr: () => {} })
    .helpOption(flagTerm(HELP_FLAG), HELP_FLAG.help);
}

/** Adds the arguments, options and subcommands of `spec` to `command`. */
function fillCommand(command: CommanderCommand, spec: Command, reading: ParserState): void {
  reading.current = command;
  reading.command = spec;
  // All optional: check-typed.ts counts them, since flags may replace some, and its hint is better than commander's.
  for (const argument of spec.args ?? []) {
    command.argument(argumentTerm({ ...argument, optional: true }), argument.help);
  }
  for (const flag of spec.flags ?? []) command.addOption(toOption(flag, reading.twice));
  for (const { name, summary } of spec.subcommands ?? []) {
    configure(command.command(name), reading).summary(summary);
  }
  if (spec.subcommands) addHelpCommand(command, reading);
  command.hook('preSubcommand', (_, below) => {
    const found = spec.subcommands?.find(({ name }) => name === below.name());
    if (found) fillCommand(below, { ...found, page: spec.page }, reading);
  });
  const words = namesOf(command);
  command.configureHelp({
    formatHelp: () => (reading.isScreen ? commandScreen : commandHelp)(spec, words, reading.width),
  });
  if (spec.read) command.allowExcessArguments().action(() => checkTyped(spec, words, typedBy(command), reading.twice));
}

/** @param twice takes the flag when it is given a second time and must not be */
function toOption(flag: Flag, twice: Flag[]): Option {
  const option = new Option(flagTerm(flag), flag.help);
  if (flag.group) option.helpGroup(`${flag.group}:`);
  if (flag.repeatable) {
    // Of a switch commander gives no value.
    option.argParser((value = flag.long, previous: readonly string[] = []) => [...previous, value]);
  }
  if (flag.once !== undefined) {
    option.argParser((value, previous: unknown) => {
      if (previous !== undefined) twice.push(flag);
      return value;
    });
  }
  return option;
}

const camelCase = (long: string) => long.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());

export function typedBy(command: CommanderCommand): ParsedArgs {
  const values: Record<string, unknown> = command.optsWithGlobals();
  const value = (long: string) => values[camelCase(long)];
  return {
    args: command.args,
    words(long) {
      if (long.startsWith('no-')) return value(long.slice(3)) === false ? [] : undefined;
      const found = value(long);
      if (typeof found === 'string') return [found];
      return Array.isArray(found) ? found : found === true ? [] : undefined;
    },
  };
}
