/**
 * The faults of a command line. Values that were typed are not repeated, since one of them may
 * be a key.
 */

import { ERROR_CODES } from '../error-codes.ts';
import { ExitCode, UsageError } from '../errors.ts';
import { MIN_SECRET_LENGTH } from '../secrets/api-key.ts';
import { quotedWord } from '../secrets/redact.ts';
import { didYouMean, nearestName } from '../text/nearest.ts';
import { type Argument, type Command, GLOBAL_FLAGS, HELP_FLAG, VERSION_FLAG } from './command.ts';
import { TOPICS } from './topics.ts';

const KEY_FLAG = /^--?(api-?key|key|token|x-api-key|secret)$/i;
const KEY_HINT = 'a key never goes on the command line: set RISKCLI_API_KEY, or store it with riskcli keys set';

export type Fault =
  /** `word` may have a value behind a `=`. */
  | { readonly kind: 'unknown'; readonly word: string }
  /** `option` is as help has it: `--output <FILE>`. */
  | { readonly kind: 'no-value'; readonly option: string }
  | { readonly kind: 'missing'; readonly argument: Argument }
  | { readonly kind: 'excess'; readonly given: number; readonly taken: number };

interface Where {
  /** The words of the command that was being read, `['keys', 'set']`. */
  readonly path: readonly string[];
  /** Its row of the table; the root has none. */
  readonly command?: Command | undefined;
}

export function mistake(fault: Fault, { path, command }: Where): UsageError {
  const name = path.join(' ');
  const hint = command ? `see riskcli help ${name}` : 'see riskcli --help; the options of a command go behind its name';
  switch (fault.kind) {
    case 'unknown':
      return unknownOption(fault.word.split('=', 1)[0] ?? '', { command, hint });
    case 'no-value':
      return new UsageError(`${fault.option} needs a value`, { hint });
    case 'missing': {
      const { name: missing, choices } = fault.argument;
      return new UsageError(`<${missing}> is missing`, { hint: choices ? `use one of ${choices.join(', ')}` : hint });
    }
    case 'excess':
      return new UsageError(`too many arguments for ${name}: ${fault.given} given, ${fault.taken} taken`, {
        hint: command?.excessHint ?? hint,
      });
  }
}

/** A known option ends here only if it has a value that it does not take. */
function unknownOption(typed: string, { command, hint }: { readonly command?: Command; readonly hint: string }) {
  const flags = [HELP_FLAG, ...(command ? [] : [VERSION_FLAG]), ...GLOBAL_FLAGS, ...(command?.flags ?? [])];
  const names = flags.map(({ long }) => `--${long}`);
  if (names.includes(typed)) return new UsageError(`${typed} takes no value`, { hint });
  const near = typed.startsWith('--')
    ? nearestName(typed, names, ({ length }) => Math.min(MAX_SLIPS, length / 3))
    : undefined;
  const suggestion = near === undefined ? hint : didYouMean([near]);
  return new UsageError(`there is no option ${quotedWord(typed)}`, {
    hint: KEY_FLAG.test(typed) ? KEY_HINT : suggestion,
  });
}

/** Letters in which an option may differ from the one that was meant. */
const MAX_SLIPS = 3;

/**
 * The error of a line that repeats the key of this run. Anything shorter is not a key, and could be
 * part of any word.
 */
export function keyAmong(argv: readonly string[], key = ''): UsageError | undefined {
  if (key.length < MIN_SECRET_LENGTH || !argv.some((word) => word.includes(key))) return undefined;
  return new UsageError('the API key is on the command line, where others can read it', {
    hint: 'a key never goes on the command line: leave it out, since RISKCLI_API_KEY has it',
  });
}

/** For a group without its subcommand, and for a root without its command. */
export function noCommand(command: Command | undefined): UsageError {
  if (!command) return new UsageError('no command was given', { hint: 'see riskcli --help' });
  const names = command.subcommands?.map(({ name }) => name).join(', ');
  return new UsageError(`${command.name} needs a subcommand`, { hint: `use one of ${names}` });
}

/** Words that are understood in place of a command. */
const ALSO_COMMANDS = [HELP_FLAG.long, VERSION_FLAG.long];

/**
 * @param commands the names of those that there are
 * @param path the words of the command that they are below; none of the root
 */
export function unknownCommand(word: string, commands: readonly string[], path: readonly string[]): UsageError {
  const names = path.length === 0 ? [...commands, ...ALSO_COMMANDS] : commands;
  const looksLikeWallet = /^0x[0-9a-f]*$/i.test(word);
  const topic = path.length === 0 && !nearName(word, names) && nearName(word, TOPIC_NAMES);
  const suggestion = looksLikeWallet
    ? 'riskcli profile 0x...'
    : topic
      ? `riskcli help ${topic}`
      : nearName(word, names);
  const hint = path.length > 0 ? `see riskcli help ${path.join(' ')}` : 'see riskcli --help';
  return new UsageError(`there is no command ${quotedWord(word)}`, {
    hint: suggestion ? didYouMean([suggestion]) : hint,
  });
}

/** For `riskcli help WORD`, where WORD is no command of `names`, no topic and no code. */
export function unknownPage(word: string, names: readonly string[]): UsageError {
  const near = nearName(word, [...names, ...TOPIC_NAMES, ...Object.keys(ERROR_CODES)]);
  const hint = /^\d+$/.test(word) ? `exit codes are ${Object.values(ExitCode).join(', ')}` : 'see riskcli --help';
  return new UsageError(`there is no command, topic or code ${quotedWord(word)}`, {
    hint: near === undefined ? hint : didYouMean([`riskcli help ${near}`]),
  });
}

const TOPIC_NAMES = TOPICS.map(({ name }) => name);

/** Fewer letters are the beginning of too many names. */
const MIN_PREFIX_LENGTH = 3;

/** The one of `names` that `word` begins or nearly spells. */
function nearName(word: string, names: readonly string[]): string | undefined {
  const typed = word.toLowerCase();
  const completions = names.filter((name) => typed.length >= MIN_PREFIX_LENGTH && name.startsWith(typed));
  if (completions.length === 1) return completions[0];
  return nearestName(typed, names, ({ length }) => Math.max(1, Math.floor(length / 4)));
}
