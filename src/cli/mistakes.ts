/**
 * What is wrong with a command line, in our words: of commander's errors the code is used, and the name of an option. Values that
 * were typed are left out, since one of them may be a key.
 */

import type { CommanderError } from 'commander';
import { ERROR_CODES } from '../error-codes.ts';
import { ExitCode, UsageError } from '../errors.ts';
import { MIN_SECRET_LENGTH } from '../secrets/api-key.ts';
import { quotedWord } from '../secrets/withhold.ts';
import { didYouMean, nearestName } from '../text/nearest.ts';
import { type Command, GLOBAL_FLAGS } from './command.ts';
import { TOPICS } from './topics.ts';

const KEY_FLAG = /^--?(api-?key|key|token|x-api-key|secret)$/i;
const KEY_HINT = 'a key never goes on the command line: set RISKCLI_API_KEY, or store it with riskcli keys set';

interface Where {
  /** The words of the command that was being read, `['keys', 'set']`. */
  readonly path: readonly string[];
  /** Its row of the table; the root has none. */
  readonly command?: Command | undefined;
  /** Its arguments, as far as they were read. */
  readonly args: readonly string[];
}

/** The error of a line that commander refused. */
export function mistake({ code, message }: CommanderError, { path, command, args }: Where): UsageError {
  const name = path.join(' ');
  const hint = command ? `see riskcli help ${name}` : 'see riskcli --help; the options of a command go behind its name';
  const named = /'([^']*)'/s.exec(message)?.[1] ?? '';
  switch (code) {
    case 'commander.unknownOption': {
      const flag = named.split('=', 1)[0] ?? '';
      if (flagsOf(command).some(({ long }) => flag === `--${long}`)) {
        return new UsageError(`${flag} takes no value`, { hint });
      }
      const meant = /\(Did you mean (?:one of )?(.*)\?\)/.exec(message)?.[1];
      return new UsageError(`there is no option ${quotedWord(flag)}`, {
        hint: KEY_FLAG.test(flag) ? KEY_HINT : meant ? didYouMean([meant]) : hint,
      });
    }
    case 'commander.optionMissingArgument':
      return new UsageError(`${named.replace(/^-., /, '')} needs a value`, { hint });
    case 'commander.missingArgument': {
      const missing = command?.args?.[args.length];
      return new UsageError(`<${missing?.name}> is missing`, {
        hint: missing?.choices ? `use one of ${missing.choices.join(', ')}` : hint,
      });
    }
    default: {
      const taken = command?.args?.length ?? 0;
      return new UsageError(`too many arguments for ${name}: ${args.length} given, ${taken} taken`, {
        hint: command?.excessHint ?? hint,
      });
    }
  }
}

/** The error of a line that repeats the key of this run. Anything shorter is not a key, and could be part of any word. */
export function keyAmong(argv: readonly string[], key = ''): UsageError | undefined {
  if (key.length < MIN_SECRET_LENGTH || !argv.some((word) => word.includes(key))) return undefined;
  return new UsageError('the API key is on the command line, where others can read it', {
    hint: 'a key never goes on the command line: leave it out, since RISKCLI_API_KEY has it',
  });
}

const flagsOf = (command: Command | undefined) => [...GLOBAL_FLAGS, ...(command?.flags ?? [])];

/** For a group without its subcommand, and for a root without its command. */
export function noCommand(command: Command | undefined): UsageError {
  if (!command) return new UsageError('no command was given', { hint: 'see riskcli --help' });
  const names = command.subcommands?.map(({ name }) => name).join(', ');
  return new UsageError(`${command.name} needs a subcommand`, { hint: `use one of ${names}` });
}

/**
 * @param names of the commands that there are
 * @param path the words of the command that they are below; none of the root
 */
export function unknownCommand(word: string, names: readonly string[], path: readonly string[]): UsageError {
  const looksLikeWallet = /^0x[0-9a-f]*$/i.test(word);
  const topic = path.length === 0 && !nearName(word, names) && nearName(word, TOPIC_NAMES);
  const meant = looksLikeWallet ? 'riskcli profile 0x...' : topic ? `riskcli help ${topic}` : nearName(word, names);
  const hint = path.length > 0 ? `see riskcli help ${path.join(' ')}` : 'see riskcli --help';
  return new UsageError(`there is no command ${quotedWord(word)}`, { hint: meant ? didYouMean([meant]) : hint });
}

/** For `riskcli help WORD`, where WORD is no command of `names`, no topic and no code. */
export function unknownPage(word: string, names: readonly string[]): UsageError {
  const near = nearName(word, [...names, ...TOPIC_NAMES, ...Object.keys(ERROR_CODES)]);
  const hint = /^\d+$/.test(word)
    ? `exit codes are ${Object.values(ExitCode).join(', ')}`
    : 'see riskcli --help for commands and topics, riskcli help errors for codes';
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
  const begun = names.filter((name) => typed.length >= MIN_PREFIX_LENGTH && name.startsWith(typed));
  if (begun.length === 1) return begun[0];
  return nearestName(typed, names, ({ length }) => Math.max(1, Math.floor(length / 4)));
}
