/**
 * The command table as a tree of commander's commands. commander is told nothing that the table does not say, so help, parser and
 * completions cannot drift apart.
 */
import { Command as CommanderCommand, Option } from 'commander';
import { checkFormats } from '../cli/choose-format.ts';
import { argumentTerm, type Command, type CommandEntry } from '../cli/command.ts';
import { checkChoice, type Flag, flagTerm, type ParsedArgs } from '../cli/flag.ts';
import { checkForms } from '../cli/form.ts';
import { askedFormat } from '../cli/formats.ts';
import { GLOBAL_FLAGS, HELP_FLAG, VERSION_FLAG } from '../cli/global-flags.ts';
import { loadCommand } from '../commands/index.ts';
import { UsageError } from '../errors.ts';
import { commandHelp, commandScreen, rootHelp, rootScreen } from './help.ts';
import { topics } from './topics/index.ts';

export { CommanderError } from 'commander';

export interface CommandTable {
  readonly version: string;
  /** How wide help may be, columns; 80 when left out. */
  readonly width?: number;
  readonly commands: readonly CommandEntry[];
}

/** What one pass over a command line has come to. */
export interface ParserState {
  readonly program: CommanderCommand;
  /** The command that commander is at, and its row of the table; the root has none. */
  current: CommanderCommand;
  command?: Command;
  text: string;
  /** Flags that were given twice, and must not be. */
  readonly twice: Flag[];
  /** Whether help is to be a screen, and how wide it may be otherwise. */
  readonly isScreen: boolean;
  readonly width: number;
  /** The words behind `help`. */
  helpFor?: readonly string[];
  /** Whether commander is told of `flag`. */
  readonly takes: (flag: Flag) => boolean;
}

/** `['keys', 'set']`: the names below the root. */
export function namesOf(command: CommanderCommand): string[] {
  return command.parent ? [...namesOf(command.parent), command.name()] : [];
}

/**
 * The commander tree. A command's own file is loaded, and its options are added, when commander has come to it.
 * @param only words of which each flag is one that commander is told of; all flags when left out
 */
export function createParser(
  { version, commands, width = 80 }: CommandTable,
  isScreen: boolean,
  only?: readonly string[],
): ParserState {
  const program = new CommanderCommand('riskcli');
  const takes = ({ long, short }: Flag) => !only || only.some((word) => mayName(word, long, short));
  const reading: ParserState = { program, current: program, text: '', twice: [], isScreen, width, takes };
  configure(program, reading)
    .version(version, flagTerm(VERSION_FLAG), VERSION_FLAG.help)
    .configureHelp({ formatHelp: () => (isScreen ? rootScreen(commands, width) : rootHelp(commands, width)) });
  for (const flag of GLOBAL_FLAGS.filter(takes)) program.addOption(toOption(flag, reading.twice));
  for (const { name, summary } of commands) configure(program.command(name), reading).summary(summary);
  program.hook('preSubcommand', async (_, command) => {
    const entry = commands.find(({ name }) => name === command.name());
    if (entry) fillCommand(command, await loadCommand(entry), reading);
  });
  addHelpCommand(program, reading, async (name) => {
    const names = program.commands.map((command) => command.name());
    if (names.includes(name)) return false;
    const page = await pageAbout(name, width);
    if (page === undefined) throw (await import('./usage-error.ts')).unknownPage(name, names);
    reading.text = page;
    return true;
  });
  // What people try first, beside the option that does the same.
  configure(program.command('version', { hidden: true }), reading).action(() => {
    reading.text = `${version}\n`;
  });
  return reading;
}

/** The page of the topic, or of the exit or error code, `name`; of both where there are both. */
async function pageAbout(name: string, width: number): Promise<string | undefined> {
  const { renderPage } = await import('./topics/page.ts');
  const topic = await topics.find((one) => one.name === name)?.load();
  const { codeHelp } = await import('./topics/code-help.ts');
  const blocks = [...(topic?.blocks ?? []), ...(codeHelp(name) ?? [])];
  return blocks.length > 0 ? renderPage(blocks, width) : undefined;
}

/**
 * Instead of commander's own, which sees one level and only what has been loaded.
 * @param printPage prints a page that is about no command, if there is one of this name
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

/** Gives `command`, which commander is about to read on, all that `spec` says. */
function fillCommand(command: CommanderCommand, spec: Command, reading: ParserState): void {
  reading.current = command;
  reading.command = spec;
  // checkArguments counts them: which are taken may hang on the flags, and its hint is better than commander's.
  for (const argument of spec.args ?? []) {
    command.argument(argumentTerm({ ...argument, optional: true }), argument.help);
  }
  for (const flag of spec.flags?.filter(reading.takes) ?? []) command.addOption(toOption(flag, reading.twice));
  for (const { name, aliases = [], summary } of spec.subcommands ?? []) {
    configure(command.command(name), reading).aliases(aliases).summary(summary);
  }
  if (spec.subcommands) addHelpCommand(command, reading);
  command.hook('preSubcommand', (_, below) => {
    const found = spec.subcommands?.find(({ name }) => name === below.name());
    if (found) fillCommand(below, found, reading);
  });
  const words = namesOf(command);
  command.configureHelp({
    formatHelp: () => (reading.isScreen ? commandScreen : commandHelp)(spec, words, reading.width),
  });
  if (spec.read) command.allowExcessArguments().action(() => checkTyped(spec, command, reading.twice));
}

function checkTyped(spec: Command, command: CommanderCommand, twice: readonly Flag[]): void {
  const typed = typedBy(command);
  checkArguments(spec, command, typed);
  for (const { long, choices } of [...GLOBAL_FLAGS, ...(spec.flags ?? [])]) {
    const value = typed.words(long)?.at(-1);
    if (choices && value !== undefined) checkChoice(`--${long}`, value, choices);
    if (choices && long === 'format') checkFormats(askedFormat(typed), choices);
  }
  for (const { long, once } of twice) throw new UsageError(`--${long} was given twice`, { hint: once });
  checkForms(spec.forms ?? [], { flags: spec.flags ?? [], typed });
}

/** Refuses arguments that are missing, and those that the command does not take, without saying them back: one of them may be a key. */
function checkArguments(spec: Command, command: CommanderCommand, typed: ParsedArgs): void {
  const { args, parent } = command;
  const isReplaced = (flag = '') => typed.words(flag) !== undefined;
  const taken = (spec.args ?? []).filter(({ replacedBy }) => !isReplaced(replacedBy));
  const missing = taken[args.length];
  if (missing && !missing.optional) {
    throw new UsageError(`<${missing.name}> is missing`, { hint: `see riskcli help ${namesOf(command).join(' ')}` });
  }
  if (taken.at(-1)?.variadic || args.length <= taken.length) return;
  const count = taken.length === 0 ? 'no arguments' : taken.length === 1 ? 'one argument' : `${taken.length} arguments`;
  const name = parent?.parent ? `${parent.name()} ${spec.name}` : spec.name;
  throw new UsageError(`${name} takes ${count}, ${args.length} ${args.length === 1 ? 'was' : 'were'} given`, {
    hint: spec.excessHint ?? `see riskcli help ${name}`,
  });
}

/** Whether `word` is `--long`, `--long=VALUE`, or short flags with `short` among them. */
const mayName = (word: string, long: string, short: string | undefined) =>
  word.startsWith('--')
    ? word.startsWith(long, 2)
    : word.startsWith('-') && short !== undefined && word.includes(short);

/** @param twice takes the flag when it is given a second time and must not be */
function toOption(flag: Flag, twice: Flag[]): Option {
  const option = new Option(flagTerm(flag), flag.help);
  if (flag.group) option.helpGroup(`${flag.group}:`);
  if (flag.sets) option.preset(flag.sets);
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
