/**
 * What every run in a test is held to: that the tables and schemas tell the truth. A run ends with an exit code, and reads
 * variables, that its help, manual page and schema name.
 */

import type { Command } from '../../src/cli/command.ts';
import { exitsOf } from '../../src/cli/exits.ts';
import { VARIABLES, variablesOf } from '../../src/cli/variables.ts';
import { commands, loadCommand } from '../../src/commands/index.ts';
import type { Environment } from '../../src/context.ts';
import { readCommandLine } from '../../src/program/program.ts';
import type { Outcome } from './run.ts';
import { holdPrinted } from './schemas.ts';

/**
 * Whether they are set is looked at where they have no say: to keep the key out of every line, to do without config.json, to
 * make a view of rows that nobody colours.
 */
const READ_BY_ALL = ['RISKCLI_API_KEY', 'RISKCLI_API_KEY_FILE', 'NO_COLOR', 'FORCE_COLOR'];

const named = ({ read, subcommands = [] }: Command, name: string): [Command['read'], string][] => [
  [read, name],
  ...subcommands.flatMap((one) => named(one, `${name} ${one.name}`)),
];
const NAMES = new Map(
  (await Promise.all(commands.map(loadCommand))).flatMap((command) => named(command, command.name)),
);

/** `env`, and the names of what was read from it so far. */
export function watchedEnvironment(env: Environment): {
  readonly env: Environment;
  readonly read: ReadonlySet<string>;
} {
  const names = new Set(VARIABLES.map(({ name }) => name).filter((name) => !READ_BY_ALL.includes(name)));
  const read = new Set<string>();
  const get = (target: Environment, name: string) => {
    if (names.has(name)) read.add(name);
    return target[name];
  };
  return { env: new Proxy(env, { get }), read };
}

/** @throws when a run of `argv` did what the table does not say. */
export async function holdToTable(
  argv: readonly string[],
  { outcome, read }: { readonly outcome: Outcome; readonly read: ReadonlySet<string> },
): Promise<void> {
  const { command, typed } = await readCommandLine(argv, { version: '', commands });
  if (!command?.read) return;
  holdPrinted({ command: NAMES.get(command.read) ?? '', typed, outcome });
  const untold = [...read].filter((name) => !variablesOf(command).includes(name));
  if (untold.length > 0) throw new Error(`${argv.join(' ')}: the table does not say that ${untold} is read`);
  // Monitoring plugins have exit codes of their own.
  if (typed.words('format')?.at(-1) === 'nagios' || exitsOf(command).some((code) => code === outcome.exitCode)) return;
  throw new Error(`${argv.join(' ')}: the table does not say that it may end with ${outcome.exitCode}`);
}
