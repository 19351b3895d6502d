/**
 * `riskcli schema`: prints what the build made from the tables that the program runs on. To make it here would load every
 * command, and programs that call riskcli ask for it first.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { command, type Options } from '../cli/command.ts';
import { checkChoice, onOff, texts } from '../cli/flag.ts';
import { OUTPUT_NAMES, OUTPUTS } from '../cli/outputs.ts';
import type { Context } from '../context.ts';
import { IoError, UsageError } from '../errors.ts';
import { writeAll } from '../files/stream.ts';
import { PACKAGE_ROOT } from '../version.ts';

const WIDTH = Math.max(...OUTPUT_NAMES.map((name) => name.length));

const flags = {
  // The parser gives --command all words that follow, as for keys set: `--command keys set` is one name.
  command: texts({
    rest: true,
    value: 'NAME',
    help: 'the options of this command, even if an output has the same name',
  }),
  everything: onOff({ long: 'all', help: 'everything, as one document of 110 kB' }),
  json: onOff({ help: 'errors as JSON, too; the output always is' }),
};

export const schema = command({
  description: `Print what a program needs to know to call riskcli, as JSON. Without a name: an
index of commands, outputs and exit codes. With the name of an output: its JSON
Schema (2020-12). With the name of a command: its options, variables and exit
codes. Nothing is sent.`,
  args: [{ name: 'name', help: 'an output, else a command', optional: true, variadic: true, completes: OUTPUT_NAMES }],
  flags,
  details: `The outputs:
${OUTPUTS.map(({ name, what }) => `  ${name.padEnd(WIDTH)}  ${what}`).join('\n')}`,
  examples: [
    { line: 'riskcli schema', does: 'The index' },
    { line: 'riskcli schema row', does: 'What a line of profile --jsonl looks like' },
    { line: 'riskcli schema keys set | jq .options', does: 'The options of a command' },
    { line: "riskcli schema --all | jq -r '.error_codes[].code'", does: 'Every error code' },
  ],
  run: printSchema,
});

async function printSchema(options: Options<typeof flags>, context: Context): Promise<undefined> {
  await writeAll(context.stdout, readSchema(`${fileOf(options)}.json`));
}

/** @throws UsageError for an unknown name, and when more than one of name, --command and --all is given */
function fileOf({ args, command, everything }: Options<typeof flags>): string {
  const name = args.join(' ');
  const given = [args.length > 0, command.length > 0, everything].filter(Boolean).length;
  if (given > 1) throw new UsageError('schema takes a name, --command or --all', { hint: 'leave all but one out' });
  if (everything) return 'riskcli';
  if (command.length > 0) return fileOfCommand(command.join(' '), []);
  if (name === '') return 'index';
  return OUTPUT_NAMES.find((one) => one === name) ?? fileOfCommand(name, OUTPUT_NAMES);
}

function fileOfCommand(name: string, others: readonly string[]): string {
  const prefix = 'command-';
  const files = readdirSync(new URL('dist/schema', PACKAGE_ROOT)).filter((file) => file.startsWith(prefix));
  const names = files.map((file) => file.slice(prefix.length, -'.json'.length));
  return prefix + checkChoice('<name>', name.replaceAll(' ', '-'), [...new Set([...others, ...names])]);
}

function readSchema(file: string): string {
  try {
    return readFileSync(new URL(`dist/schema/${file}`, PACKAGE_ROOT), 'utf8');
  } catch (cause) {
    throw new IoError(`the schema ${file} is missing`, { hint: 'install riskcli again', cause });
  }
}
