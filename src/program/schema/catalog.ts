/** What `riskcli schema` prints of the program's tables: an index, a document for each command, and everything in one. */
import type { Argument, Command } from '../../cli/command.ts';
import { EXITS, exitsOf } from '../../cli/exits.ts';
import type { Flag } from '../../cli/flag.ts';
import { GLOBAL_FLAGS } from '../../cli/global-flags.ts';
import { OUTPUTS } from '../../cli/outputs.ts';
import { SETTINGS, type Setting } from '../../cli/settings-table.ts';
import { VARIABLES, variablesOf } from '../../cli/variables.ts';
import { ERROR_CODES, type ErrorKind } from '../../error-codes.ts';
import { PRECEDENCE } from '../../errors.ts';
import { topics } from '../topics/index.ts';

const settings: readonly Setting[] = SETTINGS;
const errorKinds: Readonly<Record<string, ErrorKind>> = ERROR_CODES;

export function catalog(commands: readonly Command[], version: string) {
  return {
    name: 'riskcli',
    version,
    commands: commandDocuments(commands),
    global_options: GLOBAL_FLAGS.map(option),
    settings: settings.map(({ name, flag, variable, fallback, help }) => ({
      name,
      option: flag === undefined ? null : `--${flag}`,
      variable: variable ?? null,
      default: fallback ?? null,
      help,
    })),
    variables: VARIABLES,
    exit_codes: EXITS.map(({ code, meaning }) => ({ code, meaning })),
    exit_code_precedence: PRECEDENCE,
    error_codes: Object.entries(errorKinds).map(([code, { exits, means }]) => ({
      code,
      exit_codes: exits,
      meaning: means,
    })),
    outputs: OUTPUTS.map(({ name, what, printedBy }) => ({ name, what, printed_by: printedBy })),
    topics: topics.map(({ name, summary }) => ({ name, summary })),
  };
}

interface CommandDocument extends Readonly<Record<string, unknown>> {
  readonly name: string;
  readonly summary: string;
}

/** What a program reads first: small, since an agent may pay for each word that it reads. */
export function catalogIndex(commands: readonly Command[], version: string) {
  return {
    name: 'riskcli',
    version,
    next: {
      'riskcli schema NAME': 'the JSON Schema of an output, else the options of a command',
      'riskcli schema --command NAME': 'the options of a command',
      'riskcli schema --all': 'everything: options, settings, variables, error codes',
      'riskcli help agents': 'what costs money, and how to read exit codes',
      'riskcli help CODE': 'why an error happens, and what to do',
    },
    commands: Object.fromEntries(commandDocuments(commands).map(({ name, summary }) => [name, summary])),
    outputs: Object.fromEntries(OUTPUTS.map(({ name, printedBy }) => [name, printedBy[0]])),
    exit_codes: Object.fromEntries(EXITS.map(({ code, meaning }) => [code, meaning])),
    topics: topics.map(({ name }) => name),
  };
}

/** A document for each command that runs, by its name. */
export const commandDocuments = (commands: readonly Command[]) =>
  commands.flatMap((command) => describe(command, [command.name]));

/** The documents of a command and its subcommands; a group has none itself. */
function describe(command: Command, words: readonly string[]): CommandDocument[] {
  const below = (command.subcommands ?? []).flatMap((one) => describe(one, [...words, one.name]));
  if (!command.read) return below;
  const { summary, description, details, aliases = [], args = [], flags = [], examples = [] } = command;
  return [
    {
      name: words.join(' '),
      summary,
      description: description ?? null,
      details: details ?? null,
      aliases,
      arguments: args.map(argument),
      options: flags.map(option),
      variables: variablesOf(command),
      exit_codes: exitsOf(command),
      examples: examples.map(({ line, does }) => ({ command: line, does })),
    },
    ...below,
  ];
}

const argument = ({ name, help, optional, variadic, replacedBy, choices }: Argument) => ({
  name,
  help,
  required: optional !== true && replacedBy === undefined,
  repeatable: variadic === true,
  choices: choices ?? null,
});

function option({ long, short, value, choices, repeatable, group, help }: Flag) {
  const setting = settings.find(({ flag }) => flag === long);
  return {
    name: `--${long}`,
    short: short === undefined ? null : `-${short}`,
    value: value ?? null,
    choices: choices ?? null,
    repeatable: repeatable === true,
    group: group ?? null,
    setting: setting?.name ?? null,
    variable: setting?.variable ?? null,
    help,
  };
}
