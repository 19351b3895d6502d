/**
 * Rewrites commander's messages about a wrong command line: the one place that reads their English. Values that were typed are
 * left out, since one of them may be a key. Loaded for such a line only.
 */

import type { Command, CommandEntry } from '../cli/command.ts';
import { EXITS } from '../cli/exits.ts';
import { ERROR_CODES } from '../error-codes.ts';
import { UsageError } from '../errors.ts';
import { quotedWord } from '../secrets/withhold.ts';
import { didYouMean, nearestFirst, nearestName } from '../text/nearest.ts';
import { TOPICS } from './topics.ts';

const KEY_FLAG = /^--?(api-?key|key|token|x-api-key|secret)$/i;
const KEY_HINT = 'a key never goes on the command line: set RISKCLI_API_KEY, or store it with riskcli keys set';

/**
 * @param path the words of the command that commander was at, `['keys', 'set']`
 * @param command its row of the table; the root has none
 * @param commands the names of all
 */
export function usageError(
  { code, message }: { readonly code: string; readonly message: string },
  path: readonly string[],
  command: Command | undefined,
  commands: readonly string[],
): UsageError {
  const hint = command ? `see riskcli help ${path.join(' ')}` : 'see riskcli --help';
  const named = /'([^']*)'/s.exec(message)?.[1] ?? '';
  const meant = /\(Did you mean (.*)\?\)/.exec(message)?.[1]?.replace(/^one of /, '');
  const suggestion = meant && didYouMean([meant]);
  switch (code) {
    case 'commander.unknownOption': {
      const flag = named.split('=', 1)[0] ?? '';
      return new UsageError(`there is no option ${quotedWord(flag)}`, {
        hint: KEY_FLAG.test(flag) ? KEY_HINT : (suggestion ?? hint),
      });
    }
    case 'commander.unknownCommand':
      return unknownCommand(named, (!command && topicHint(named, commands)) || suggestion || hint);
    case 'commander.optionMissingArgument':
      return new UsageError(`${named.replace(/^-., /, '')} needs a value`, {
        hint: named.startsWith('--fields ') ? `riskcli ${path.join(' ')} --fields lists the paths` : hint,
      });
    default:
      return helpError(command);
  }
}

/** For an option before the command that it belongs to: `riskcli --csv profile`. */
export async function misplacedOption(
  { code, message }: { readonly code: string; readonly message: string },
  argv: readonly string[],
  command: Command | undefined,
  commands: readonly CommandEntry[],
): Promise<UsageError | undefined> {
  if (command || code !== 'commander.unknownOption') return undefined;
  const option = /'(--?[a-z-]+)/.exec(message)?.[1];
  const entry = commands.find(({ name }) => argv.includes(name));
  const { flags = [], subcommands = [] } = (await entry?.load()) ?? {};
  const all = [...flags, ...subcommands.flatMap((one) => one.flags ?? [])];
  const isIts = all.some(({ long, short }) => option === `--${long}` || option === `-${short}`);
  if (!entry || !isIts) return undefined;
  return new UsageError(`${option} goes after the command`, { hint: `write riskcli ${entry.name} ${option}` });
}

/** For `riskcli help WORD`, where WORD is no command of `commands`, no topic and no code. */
export function unknownPage(word: string, commands: readonly string[]): UsageError {
  const near = nearName(word, [...commands, ...TOPIC_NAMES, ...Object.keys(ERROR_CODES)]);
  const numbers = EXITS.map(({ code }) => code).join(', ');
  const hint = /^\d+$/.test(word)
    ? `exit codes are ${numbers}`
    : 'see riskcli --help for commands and topics, riskcli help errors for codes';
  return new UsageError(`there is no command, topic or code ${quotedWord(word)}`, {
    hint: near === undefined ? hint : didYouMean([`riskcli help ${near}`]),
  });
}

const TOPIC_NAMES = TOPICS.map(({ name }) => name);

/** Suggests the topic of which `word` is the name, the beginning or a misspelling; undefined when a command is as near. */
function topicHint(word: string, commands: readonly string[]): string | undefined {
  const near = nearName(word, TOPIC_NAMES);
  const typed = word.toLowerCase();
  if (near === undefined) return undefined;
  const isMeant = near.startsWith(typed) || nearestFirst(typed, [...commands, near])[0] === near;
  return isMeant ? didYouMean([`riskcli help ${near}`]) : undefined;
}

/** Fewer letters are the beginning of too many names. */
const MIN_PREFIX_LENGTH = 3;

/** The one of `names` that `word` begins or nearly spells. */
function nearName(word: string, names: readonly string[]): string | undefined {
  const typed = word.toLowerCase();
  const begun = names.filter((name) => typed.length >= MIN_PREFIX_LENGTH && name.startsWith(typed));
  if (begun.length === 1) return begun[0];
  return nearestName(typed, names, ({ length }) => Math.max(1, Math.floor(length / 4)));
}

function unknownCommand(name: string, suggestion: string): UsageError {
  const looksLikeWallet = /^0x[0-9a-f]*$/i.test(name);
  const hint = looksLikeWallet ? didYouMean(['riskcli profile 0x...']) : suggestion;
  return new UsageError(`there is no command ${quotedWord(name)}`, { hint });
}

/** commander's error, which shows help, for a group without its subcommand and for a root without its command. */
function helpError(command: Command | undefined): UsageError {
  if (!command) return new UsageError('no command was given', { hint: 'see riskcli --help' });
  const names = command.subcommands?.map(({ name }) => name).join(', ');
  return new UsageError(`${command.name} needs a subcommand`, { hint: `use one of ${names}` });
}
