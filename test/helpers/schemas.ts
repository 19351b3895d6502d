/** Holds what is printed against what `riskcli schema` says of it. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { ParsedArgs } from '../../src/cli/flag.ts';
import { messageFlags } from '../../src/cli/message-flags.ts';
import type { OutputName } from '../../src/cli/outputs.ts';
import { outputSchemas } from '../../src/program/schema/schemas.ts';
import type { Outcome } from './run.ts';

const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?Z$/;
/** JSON.parse makes Infinity of 1e400, which is a number all the same. */
const ajv = new Ajv2020({ strictNumbers: false, allErrors: true, strictTypes: false, strictRequired: false });
ajv.addFormat('date-time', ISO_TIME);

const validators = new Map<string, ValidateFunction>();

/** @throws when `value` is not what the schema called `name` says. */
export function holdToSchema(name: OutputName, value: unknown): void {
  const validate = validators.get(name) ?? ajv.compile(outputSchemas()[name] ?? false);
  validators.set(name, validate);
  if (!validate(value)) throw new Error(`no ${name}: ${ajv.errorsText(validate.errors)}: ${JSON.stringify(value)}`);
}

interface Printed {
  /** As typed: `keys show`. */
  readonly command: string;
  readonly typed: ParsedArgs;
  readonly outcome: Outcome;
}

/** Longer ones are many equal rows. */
const LONGEST = 100_000;

/** @throws when standard output or error of a run is not what the schema says; what it says nothing about passes. */
export function holdPrinted({ command, typed, outcome }: Printed): void {
  const { stdout, stderr } = outcome;
  const format = formatOf(typed);
  const name = format && outputName(command, { typed, format });
  const isElsewhere = (typed.words('output')?.at(-1) ?? '-') !== '-';
  if (name && !isElsewhere && stdout !== '' && stdout.length < LONGEST) {
    for (const value of format === 'jsonl' ? lines(stdout) : [stdout]) holdToSchema(name, JSON.parse(value));
  }
  // A terminal also gets the progress, in the same lines.
  if (!messageFlags(typed, []).json || /[\r\u001b]/.test(stderr)) return;
  for (const line of lines(stderr)) holdToSchema('message', JSON.parse(line));
}

const lines = (text: string) => text.split('\n').filter((line) => line !== '');

function formatOf(typed: ParsedArgs): 'json' | 'jsonl' | undefined {
  const asked = typed.words('format')?.at(-1) ?? ['json', 'jsonl'].find((long) => typed.words(long));
  return asked === 'json' || asked === 'jsonl' ? asked : undefined;
}

interface Asked {
  readonly typed: ParsedArgs;
  readonly format: 'json' | 'jsonl';
}

const BY_COMMAND: Readonly<Record<string, OutputName>> = {
  'journal show': 'journal-show',
  'journal history': 'journal-history',
  'journal prune': 'journal-removed',
  'journal purge': 'journal-removed',
  'keys show': 'keys-show',
  'keys list': 'keys-list',
  'keys check': 'keys-check',
  'config list': 'config-list',
  'config get': 'config-get',
  health: 'health',
  limits: 'limits',
  doctor: 'doctor',
};

/** Undefined where the members depend on what was asked for. */
function outputName(command: string, { typed, format }: Asked): OutputName | undefined {
  const found = BY_COMMAND[command];
  if (found) return found;
  if (typed.words('dry-run')) return 'dry-run';
  if (command === 'diff') return format === 'jsonl' ? 'diff-row' : 'diff-rows';
  if (typed.words('fields')) return undefined;
  const isOne = command === 'profile' && typed.args.length === 1 && typed.args[0] !== '-';
  if (isOne && format === 'json') return 'wallet';
  if (command === 'profile' || command === 'journal export') return format === 'jsonl' ? 'row' : 'rows';
  return undefined;
}
