/** Reads any command line with commander: one that asks for help, is spelled unusually or is wrong; and says what is wrong. */
import type { Command } from '../cli/command.ts';
import type { CommandLine, CommandTable } from './command-line.ts';
import { CommanderError, createParser, namesOf, type ParserState, typedBy } from './commander-tree.ts';

/** Reads `argv` (without node and script, and without the words of another program). Runs nothing and does not throw. */
export async function readAnyLine(argv: readonly string[], table: CommandTable): Promise<CommandLine> {
  const reading = createParser(table, argv.length === 0 || asksForScreen(argv));
  try {
    await reading.program.parseAsync(argv.length === 0 ? ['-h'] : argv, { from: 'user' });
  } catch (error) {
    return failedLine(error, argv, table, reading);
  }
  const { helpFor, command, current, text } = reading;
  if (helpFor) return readAnyLine([...helpFor, '--help'], table);
  return { command, typed: typedBy(current), leftOver: [], text };
}

/** Whether -h was typed, alone or among other short flags, and --help was not. */
const asksForScreen = (argv: readonly string[]) =>
  argv.some((word) => /^-[a-z]*h/i.test(word)) && !argv.includes('--help');

const withoutOptions = (words: readonly string[]) => words.filter((word) => !word.startsWith('-'));

async function failedLine(
  error: unknown,
  argv: readonly string[],
  table: CommandTable,
  reading: ParserState,
): Promise<CommandLine> {
  const { current, command, text } = reading;
  const line = { command, typed: typedBy(current), leftOver: [] };
  if (!(error instanceof CommanderError)) return { ...line, error };
  if (error.exitCode === 0) {
    const [stray] = current.args;
    const isUnknown = current.commands.length > 0 && stray !== undefined && !stray.startsWith('-');
    // With --help after it, commander accepts an unknown command.
    if (isUnknown) return readAnyLine([...namesOf(current), ...withoutOptions(current.args)], table);
    return { typed: line.typed, leftOver: [], text };
  }
  const { misplacedOption, usageError } = await import('./usage-error.ts');
  const names = table.commands.map(({ name }) => name);
  const failed = {
    ...line,
    leftOver: current.args,
    error:
      (await misplacedOption(error, argv, command, table.commands)) ??
      usageError(error, namesOf(current), command, names),
  };
  if (error.code !== 'commander.optionMissingArgument') return failed;
  // The last option lacks its value, and commander stopped there, perhaps at the root: what is before it counts.
  const before = await readAnyLine(argv.slice(0, -1), table);
  const isAlone = before.typed.args.length === 0 && !argv.slice(0, -1).some((word) => word.startsWith('-'));
  const paths = isAlone && argv.at(-1) === '--fields' ? pathsOf(before.command) : undefined;
  if (paths) return { typed: before.typed, leftOver: [], text: `${paths.join('\n')}\n` };
  return { ...before, text: '', error: failed.error };
}

/**
 * The paths that every answer has, which a lone `--fields` lists. After other arguments it may come from a script with an empty
 * variable, and must fail.
 */
function pathsOf(command: Command | undefined): readonly string[] | undefined {
  const completes = command?.flags?.find(({ long }) => long === 'fields')?.completes;
  return typeof completes === 'string' ? undefined : completes;
}
