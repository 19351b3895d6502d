/**
 * A command is data, from which the parser, the help and the completions are made, and a
 * function that runs it. Only the file of the command that was typed is loaded, so it may import
 * what every run of it needs.
 */
import type { Context } from '../context.ts';
import type { ExitCode } from '../errors.ts';
import { COLOR_CHOICES } from '../output/terminal/color.ts';
import {
  type Completes,
  choice,
  count,
  type Flag,
  type FlagRows,
  type FlagValues,
  type Form,
  flagsOf,
  off,
  onOff,
  type ParsedArgs,
  readFlags,
  text,
  typedWords,
} from './flag.ts';

/** Flags that are accepted before and after every command. */
const globalFlags = {
  env: text({
    short: 'e',
    value: 'NAME',
    help: 'environment to use: its base URL, key and settings',
    completes: 'environment',
  }),
  color: choice(COLOR_CHOICES, { value: 'WHEN', help: 'colour: auto, always or never' }),
  quiet: onOff({ short: 'q', help: 'no notes and no progress' }),
  verbose: count({ short: 'v', help: "show each request; -vv: also its answer's headers" }),
  debug: onOff({ help: 'add stack traces to errors' }),
  mayPrompt: off({ long: 'no-input', help: 'never prompt' }),
};
export const GLOBAL_FLAGS = flagsOf(globalFlags);

/** Flags that print something instead of running a command. */
export const HELP_FLAG: Flag = { long: 'help', short: 'h', help: 'print help' };
export const VERSION_FLAG: Flag = { long: 'version', short: 'V', help: 'print the version' };

export interface Argument {
  readonly name: string;
  readonly help: string;
  readonly optional?: true;
  readonly variadic?: true;
  readonly choices?: readonly string[];
  readonly completes?: Completes;
}

/** The export of a command's file; its name and summary are in the table. */
export interface CommandBody {
  /**
   * The first text of the command's help. Paragraphs are wrapped again, unless they have an
   * indented line.
   */
  readonly description?: string;
  readonly args?: readonly Argument[];
  readonly flags?: readonly Flag[];
  /** The options that `-h` shows, ten at most; when left out, the first ten. */
  readonly screenFlags?: readonly string[];
  /** Command lines, and what each does. */
  readonly examples?: Readonly<Record<string, string>>;
  readonly subcommands?: readonly Command[];
  /** The hint for too many arguments. */
  readonly excessHint?: string;
  /**
   * For a command that has to print its own output even when its command line is wrong. Returns the
   * exit code; undefined leaves the error to be reported like any other.
   */
  readonly rescue?: (error: unknown, typed: ParsedArgs, context: Context) => Promise<ExitCode | undefined>;
  /**
   * Reads what was typed, and then runs. @throws UsageError for a value that a flag does not take:
   * nothing was done yet
   */
  readonly read?: (typed: ParsedArgs) => CommandRun;
}

export type CommandRun = (context: Context) => Promise<ExitCode | undefined>;

export interface Command extends CommandBody {
  readonly name: string;
  /** One line for the list of commands. */
  readonly summary: string;
  /** The topic whose page says more; of a subcommand, that of its group. */
  readonly page?: string;
}

/** A line of the table: enough for the root's help, without the command's file. */
export interface CommandEntry {
  readonly name: string;
  readonly summary: string;
  /** The topic whose page says more. */
  readonly page: string;
  readonly load: () => Promise<CommandBody>;
}

export async function loadCommand({ name, summary, page, load }: CommandEntry): Promise<Command> {
  return { name, summary, page, ...(await load()) };
}

/** `<name>`, or `[name...]`, as help names it. */
export function argumentTerm({ name, optional, variadic }: Argument): string {
  const term = variadic ? `${name}...` : name;
  return optional ? `[${term}]` : `<${term}>`;
}

type NoFlags = Record<never, never>;

/** The argument of a command: the values of its flags and of the global ones, and its words. */
export type Options<Rows extends FlagRows = NoFlags> = FlagValues<Rows> &
  FlagValues<typeof globalFlags> & {
    readonly args: readonly string[];
    /** The words as typed, for reports that print their command line. */
    readonly typedWords: readonly string[];
  };

/** A command as its file defines it, with its flags as rows. */
interface CommandDefinition<Rows extends FlagRows> extends Omit<CommandBody, 'flags' | 'read'> {
  /** None when left out. */
  readonly flags?: Rows;
  /**
   * Which form was typed, for a command that has several; a flag may belong to one of them
   * (`only`).
   */
  readonly form?: (typed: ParsedArgs) => Form | undefined;
  readonly run: (options: Options<Rows>, context: Context) => Promise<ExitCode | undefined>;
}

/** The command of a definition: every flag is read, or refused, before anything else is done. */
export function command<Rows extends FlagRows = NoFlags>(definition: CommandDefinition<Rows>): CommandBody {
  const { flags = {}, form, run, ...body } = definition;
  const rows = { ...globalFlags, ...flags };
  const listed = flagsOf(flags);
  return {
    ...body,
    flags: listed,
    read(typed) {
      // The other global flags affect messages only.
      const shown = [...flagsOf({ env: globalFlags.env }), ...listed];
      const own = { args: typed.args, typedWords: typedWords(shown, typed) };
      const options = { ...readFlags(rows, typed, form?.(typed)), ...own } as Options<Rows>;
      return (context) => run(options, context);
    },
  };
}

/** A command below another one. */
export function subcommand<Rows extends FlagRows = NoFlags>({
  name,
  summary,
  ...definition
}: CommandDefinition<Rows> & Pick<Command, 'name' | 'summary'>): Command {
  return { name, summary, ...command(definition) };
}
