/**
 * What a command is: data from which the parser, the help and the completions are made, and a function that runs it.
 * Only the file of the command that was typed is loaded, so it may import what every run of it needs.
 */
import type { Context } from '../context.ts';
import type { ExitCode } from '../errors.ts';
import type { SettingName } from './settings-table.ts';

/** What a command reads of its surroundings, beside its options; variables.ts says which variables these are. */
export type Reads = 'settings' | 'every-setting' | SettingName | 'key' | 'network' | 'color';

type FlagGroup = 'Input' | 'Output' | 'Gates' | 'Pace and cost' | 'Connection';

export interface Flag {
  /** Without dashes; `no-header` for a switch that turns something off. */
  readonly long: string;
  readonly short?: string;
  /** The placeholder of the value in help, `FILE`; a flag without one is a switch. */
  readonly value?: string;
  readonly choices?: readonly string[];
  /** May be given several times; otherwise the last one wins. */
  readonly repeatable?: true;
  /** Its value is a program, and every word behind that is the program's. */
  readonly rest?: true;
  /** For a switch that stands for a value of another flag: `--no-color` is `--color never`. */
  readonly sets?: string;
  readonly help: string;
  /** The heading under which help lists it; `Options` when there is none. */
  readonly group?: FlagGroup;
  /** What a shell offers for the value, unless there are choices. */
  readonly completes?: Completes;
  /** Its value is several texts, separated by commas; a shell offers each of them. */
  readonly commas?: true;
}

/** Names of files, the environments of this machine, or texts with which a value may begin. */
export type Completes = 'file' | 'environment' | readonly string[];

export interface Argument {
  readonly name: string;
  readonly help: string;
  readonly optional?: true;
  readonly variadic?: true;
  readonly choices?: readonly string[];
  readonly completes?: Completes;
}

export interface Example {
  readonly line: string;
  readonly does: string;
}

/** What the user typed, before it means anything. Flags are asked for by their long name. */
export interface ParsedArgs {
  readonly args: readonly string[];
  /** The value of a flag; undefined when it was not typed. */
  text(long: string): string | undefined;
  /** Whether a switch was typed. */
  on(long: string): boolean;
  /** The values of a repeatable flag, in order. */
  all(long: string): readonly string[];
}

/** What a command's file exports; its name and summary stand in the table. */
export interface CommandBody {
  /** More for the command's own help, wrapped to 80 columns by the author. */
  readonly description?: string;
  readonly args?: readonly Argument[];
  readonly flags?: readonly Flag[];
  /** Help for which a line per option has no room. It follows the options, wrapped to 80 columns by the author. */
  readonly details?: string;
  readonly examples?: readonly Example[];
  /** Which variables it reads besides those of its options. */
  readonly reads?: readonly Reads[];
  /** What it may end with besides what every command may end with. */
  readonly exits?: readonly ExitCode[];
  readonly subcommands?: readonly Command[];
  /** What to do instead, for someone who typed an argument where none is taken. */
  readonly excessHint?: string;
  /**
   * For a command that has to answer in its own form whatever went wrong, its command line included. What it returns is the
   * exit code; undefined leaves the error to be reported as any other.
   */
  readonly rescue?: (error: unknown, run: FailedRun) => Promise<ExitCode | undefined>;
  readonly run?: (typed: ParsedArgs, context: Context) => Promise<ExitCode | undefined>;
}

export interface Command extends CommandBody {
  readonly name: string;
  /** One line for the list of commands. */
  readonly summary: string;
  /** Other names of a subcommand that people are used to. */
  readonly aliases?: readonly string[];
}

/** A line of the table: enough for the root's help, without the command's file. */
export interface CommandEntry {
  readonly name: string;
  readonly summary: string;
  readonly load: () => Promise<CommandBody>;
}

/** A run that failed. `typed` is what could be read of a command line that is wrong. */
export interface FailedRun {
  readonly typed: ParsedArgs;
  readonly context: Context;
  /** Whether the command line could not be read, so that the command never ran. */
  readonly isUnread: boolean;
}
