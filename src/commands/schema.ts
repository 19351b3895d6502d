/**
 * `riskcli schema`: prints what the build made from the tables that the program runs on. It is read, not made: a program
 * that calls riskcli asks before everything else, and all commands would have to be loaded for it.
 */
import { readFileSync } from 'node:fs';
import { command } from '../cli/command.ts';
import { checkChoice, onOff } from '../cli/flag.ts';
import { OUTPUT_NAMES, OUTPUTS } from '../cli/outputs.ts';
import type { Context } from '../context.ts';
import { IoError } from '../errors.ts';
import { writeAll } from '../files/stream.ts';
import { PACKAGE_ROOT } from '../version.ts';

const WIDTH = Math.max(...OUTPUT_NAMES.map((name) => name.length));

export const schema = command({
  description: `Print one JSON document with what a program needs to know to call riskcli:
commands with their options, settings, variables, exit codes, error codes, and
what each command prints. With a name, print the JSON Schema (2020-12) of that
output. Nothing is sent.`,
  args: [{ name: 'name', help: 'the output to describe', optional: true, choices: OUTPUT_NAMES }],
  flags: { json: onOff({ help: 'say what is wrong as JSON, too; the output always is' }) },
  details: `The outputs:
${OUTPUTS.map(({ name, what }) => `  ${name.padEnd(WIDTH)}  ${what}`).join('\n')}`,
  examples: [
    { line: "riskcli schema | jq -r '.error_codes[].code'", does: 'Every error code' },
    { line: 'riskcli schema row', does: 'What a line of profile --jsonl looks like' },
    {
      line: `riskcli schema | jq '.commands[] | select(.name == "profile") | .options'`,
      does: 'The options of a command',
    },
  ],
  excessHint: 'give one name, or none',
  run: ({ args: [name] }, context) => printSchema(name, context),
});

async function printSchema(name: string | undefined, context: Context): Promise<undefined> {
  const file = name === undefined ? 'riskcli' : checkChoice('schema', name, OUTPUT_NAMES);
  await writeAll(context.stdout, readSchema(`${file}.json`));
}

function readSchema(file: string): string {
  try {
    return readFileSync(new URL(`dist/schema/${file}`, PACKAGE_ROOT), 'utf8');
  } catch (cause) {
    throw new IoError(`the schema ${file} is missing`, { hint: 'install riskcli again', cause });
  }
}
