/**
 * Turns the command table into a commander program and what commander says into our own errors. commander is told
 * nothing that the table does not say, so help, parser and completions cannot drift apart.
 */
import { Command as CommanderCommand, CommanderError, Option } from 'commander';
import { checkChoice } from './choice.ts';
import type { Command, CommandEntry, Flag, Typed } from './commands/command.ts';
import { GLOBAL_FLAGS } from './commands/flags.ts';
import { loadCommand } from './commands/index.ts';
import { type ExitCode, UsageError } from './errors.ts';
import { rootHelp } from './help.ts';
import { quotedWord } from './output/escape.ts';

export interface ProgramOptions {
  readonly version: string;
  readonly commands: readonly CommandEntry[];
  /** Help and version text go here; it is data, so it goes to stdout. */
  readonly print: (text: string) => void;
  readonly run: (command: Command, typed: Typed) => Promise<ExitCode | undefined>;
}

/**
 * Parses `argv` (without node and script) and runs the command it names.
 * @throws UsageError when the command line is wrong.
 */
export async function runProgram(argv: readonly string[], options: ProgramOptions): Promise<ExitCode | undefined> {
  let outcome: ExitCode | undefined;
  const ended = (code: ExitCode | undefined) => {
    outcome = code;
  };
  const words = wordsFor(argv, options);
  const named = await Promise.all(options.commands.filter(({ name }) => words.includes(name)).map(loadCommand));
  const program = createProgram(named, { options, ended });
  try {
    await program.parseAsync(words, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode !== 0) throw usageError(error, named);
  }
  return outcome;
}

/**
 * `argv` as commander takes it: `help keys set` is `keys set --help`, since its own `help` sees one level; of a command that
 * there is not, only the name is left, since with `--help` behind it commander would be content.
 */
function wordsFor(argv: readonly string[], { commands }: ProgramOptions): readonly string[] {
  const [first = '--help', second, ...rest] = argv;
  const isCommand = (word: string) => commands.some(({ name }) => name === word);
  if (first.startsWith('-') || isCommand(first)) return argv.length === 0 ? [first] : argv;
  if (first !== 'help') return [first];
  if (second === undefined || second.startsWith('-')) return ['--help'];
  return isCommand(second) ? [second, ...rest, '--help'] : [second];
}

interface Wiring {
  readonly options: ProgramOptions;
  readonly ended: (code: ExitCode | undefined) => void;
}

/** The commander tree. Only commands that were `named` are there with all they have. */
function createProgram(named: readonly Command[], wiring: Wiring): CommanderCommand {
  const { options } = wiring;
  const program = configure(new CommanderCommand('riskcli'), options)
    .version(options.version, '-V, --version', 'print the version')
    .description('Risk profiles of blockchain wallets, from the Wallet Risk Profile Service.')
    .usage('<command> [options]')
    .helpCommand('help [command]', 'print help of a command')
    .addHelpText('after', rootHelp);
  for (const flag of GLOBAL_FLAGS) program.addOption(toOption(flag));
  for (const { name, summary } of options.commands) {
    const command = named.find((candidate) => candidate.name === name);
    if (command) addCommand(program, command, wiring);
    else program.command(name).summary(summary);
  }
  return program;
}

function configure(command: CommanderCommand, options: ProgramOptions): CommanderCommand {
  return command
    .exitOverride()
    .configureOutput({ writeOut: options.print, writeErr: () => {} })
    .configureHelp({ helpWidth: 80, showGlobalOptions: true, subcommandTerm: (command) => command.name() })
    .helpOption('-h, --help', 'print help');
}

function addCommand(parent: CommanderCommand, spec: Command, wiring: Wiring): void {
  const command = configure(parent.command(spec.name), wiring.options)
    .summary(spec.summary)
    .description(spec.description ?? `${spec.summary}.`);
  for (const argument of spec.args ?? []) {
    const name = argument.variadic ? `${argument.name}...` : argument.name;
    command.argument(argument.optional ? `[${name}]` : `<${name}>`, argument.help);
  }
  for (const flag of spec.flags ?? []) command.addOption(toOption(flag));
  for (const subcommand of spec.subcommands ?? []) addCommand(command, subcommand, wiring);
  if (spec.examples) command.addHelpText('after', exampleHelp(spec));
  const { run } = spec;
  if (!run) return;
  // checkArguments counts them, with a better hint than commander's.
  command.allowExcessArguments().action(async () => {
    checkArguments(spec, command);
    wiring.ended(await wiring.options.run(spec, typedBy(command)));
  });
}

/** Refuses arguments that the command does not take, without saying them back: one of them may be a key. */
function checkArguments(spec: Command, { args, parent }: CommanderCommand): void {
  const taken = spec.args ?? [];
  if (taken.at(-1)?.variadic || args.length <= taken.length) return;
  const count = taken.length === 0 ? 'no arguments' : taken.length === 1 ? 'one argument' : `${taken.length} arguments`;
  const name = parent?.parent ? `${parent.name()} ${spec.name}` : spec.name;
  throw new UsageError(`${name} takes ${count}, ${args.length} ${args.length === 1 ? 'was' : 'were'} given`, {
    hint: spec.excessHint ?? `see riskcli help ${name}`,
  });
}

function toOption(flag: Flag): Option {
  const name = flag.value ? `--${flag.long} <${flag.value}>` : `--${flag.long}`;
  const option = new Option(flag.short ? `-${flag.short}, ${name}` : name, flag.help);
  const { choices } = flag;
  if (choices) option.argParser((value: string) => checkChoice(`--${flag.long}`, value, choices));
  if (flag.repeatable) {
    option.argParser((value: string, previous: readonly string[] | undefined) => [...(previous ?? []), value]);
  }
  return option;
}

function exampleHelp(spec: Command): string {
  const lines = (spec.examples ?? []).flatMap(({ line, does }) => [`  # ${does}`, `  $ ${line}`]);
  return `\nExamples:\n${lines.join('\n')}`;
}

const camelCase = (long: string) => long.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());

function typedBy(command: CommanderCommand): Typed {
  const values: Record<string, unknown> = command.optsWithGlobals();
  const value = (long: string) => values[camelCase(long)];
  return {
    args: command.args,
    text: (long) => {
      const found = value(long);
      return typeof found === 'string' ? found : undefined;
    },
    on: (long) => (long.startsWith('no-') ? value(long.slice(3)) === false : value(long) === true),
    all: (long) => {
      const found = value(long);
      return Array.isArray(found) ? found : [];
    },
  };
}

const KEY_FLAG = /^--?(api-?key|key|token|x-api-key|secret)$/i;
const KEY_HINT = 'a key never goes on the command line: set RISKCLI_API_KEY, or store it with riskcli keys set';

/** Our own words for commander's complaint; values that were typed are left out, since one of them may be a key. */
function usageError(error: CommanderError, commands: readonly Command[]): UsageError {
  const named = /'([^']*)'/s.exec(error.message)?.[1] ?? '';
  const meant = /\(Did you mean (.*)\?\)/.exec(error.message)?.[1]?.replace(/^one of /, '');
  const suggestion = meant && `did you mean ${meant}?`;
  switch (error.code) {
    case 'commander.unknownOption': {
      const flag = named.split('=', 1)[0] ?? '';
      const hint = KEY_FLAG.test(flag) ? KEY_HINT : (suggestion ?? 'see riskcli --help');
      return new UsageError(`there is no option ${quotedWord(flag)}`, { hint });
    }
    case 'commander.unknownCommand':
      return new UsageError(`there is no command ${quotedWord(named)}`, { hint: suggestion ?? 'see riskcli --help' });
    case 'commander.optionMissingArgument':
      return new UsageError(`${named.replace(/^-., /, '')} needs a value`, { hint: 'see riskcli --help' });
    case 'commander.missingArgument':
      return new UsageError(`<${named}> is missing`, { hint: 'see riskcli --help' });
    default:
      return helpError(commands);
  }
}

/** commander shows help, as an error, for a group without its subcommand and for `help` of an unknown command. */
function helpError(named: readonly Command[]): UsageError {
  const group = named.find((command) => command.subcommands);
  if (!group) return new UsageError('no such command', { hint: 'see riskcli --help' });
  const names = group.subcommands?.map((subcommand) => subcommand.name).join(', ');
  return new UsageError(`${group.name} needs a subcommand`, { hint: `one of ${names}` });
}
