/**
 * `riskcli schema`: prints a file of share/schema, which tests hold against what riskcli prints.
 */
import { command } from '../cli/command.ts';
import { readPackageFile } from '../files/package-file.ts';
import { writeAll } from '../files/stream.ts';
import { checkChoice } from '../settings/typed-values.ts';

/** The files, and what they describe: the output of command lines, or a file. */
const SCHEMAS = {
  row: 'profile --jsonl, each element of profile --json',
  health: 'health --json',
  diff: 'diff --jsonl, each element of diff --json',
  review: 'review --json',
  policy: 'the file of --policy',
  keys: 'keys show, list and check with --json',
  error: 'each line on standard error with --json or --jsonl',
} as const;
const SCHEMA_NAMES = Object.keys(SCHEMAS);

export const schema = command({
  description: 'Print the JSON Schema (2020-12) of an output or a policy; without a name, list them.',
  args: [
    { name: 'name', help: 'an output (row, review, health, ...), or policy', optional: true, choices: SCHEMA_NAMES },
  ],
  examples: {
    'riskcli schema': 'List them',
    'riskcli schema row': 'What a line of profile --jsonl looks like',
  },
  async run({ args: [name] }, context) {
    const file = name === undefined ? undefined : `share/schema/${checkChoice('<name>', name, SCHEMA_NAMES)}.json`;
    await writeAll(context.stdout, file === undefined ? schemaList() : readPackageFile(file));
    return undefined;
  },
});

const schemaList = () =>
  Object.entries(SCHEMAS)
    .map(([name, of]) => `${name}\t${of}\n`)
    .join('');
