/**
 * `riskcli schema`: prints a file of share/schema, which tests hold against what riskcli prints.
 */
import { command } from '../cli/command.ts';
import type { Context } from '../context.ts';
import { readPackageFile } from '../files/package-file.ts';
import { writeAll } from '../files/stream.ts';
import { checkChoice } from '../settings/typed-values.ts';

/** The files, and the command lines whose output they describe. */
const SCHEMAS = {
  row: 'profile --jsonl, each element of profile --json',
  health: 'health --json',
  diff: 'diff --jsonl, each element of diff --json',
  review: 'review --json',
  keys: 'keys show, list and check with --json',
  error: 'each line on standard error with --json or --jsonl',
} as const;
const SCHEMA_NAMES = Object.keys(SCHEMAS);

export const schema = command({
  description: 'Print the JSON Schema (2020-12) of an output; without a name, list the outputs.',
  args: [{ name: 'name', help: 'an output', optional: true, choices: SCHEMA_NAMES }],
  examples: [
    { line: 'riskcli schema', does: 'List the outputs that have one' },
    { line: 'riskcli schema row', does: 'What a line of profile --jsonl looks like' },
  ],
  run: ({ args: [name] }, context) => printSchema(name, context),
});

async function printSchema(name: string | undefined, context: Context): Promise<undefined> {
  const text =
    name === undefined
      ? schemaList()
      : readPackageFile(`share/schema/${checkChoice('<name>', name, SCHEMA_NAMES)}.json`);
  await writeAll(context.stdout, text);
}

const schemaList = () =>
  Object.entries(SCHEMAS)
    .map(([name, of]) => `${name}\t${of}\n`)
    .join('');
