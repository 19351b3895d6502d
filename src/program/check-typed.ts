/** Checks a command line whose words are spelled well: how many arguments, which choices, which flags go together. */
import { checkFormats } from '../cli/choose-format.ts';
import type { Command } from '../cli/command.ts';
import { checkChoice, type Flag, type ParsedArgs } from '../cli/flag.ts';
import { checkForms } from '../cli/form.ts';
import { askedFormat } from '../cli/formats.ts';
import { GLOBAL_FLAGS } from '../cli/global-flags.ts';
import { UsageError } from '../errors.ts';
import { verbFor } from '../text/words.ts';

/**
 * @param path the words that name the command, `['keys', 'set']`
 * @param twice flags that were given twice, and must not be
 * @throws UsageError
 */
export function checkTyped(
  command: Command,
  path: readonly string[],
  typed: ParsedArgs,
  twice: readonly Flag[] = [],
): void {
  const { flags = [], forms = [] } = command;
  checkArguments(command, path, typed);
  for (const { long, choices } of [...GLOBAL_FLAGS, ...flags]) {
    const value = typed.words(long)?.at(-1);
    if (choices && value !== undefined) checkChoice(`--${long}`, value, choices);
    if (choices && long === 'format') checkFormats(askedFormat(typed), choices);
  }
  for (const { long, once } of twice) throw new UsageError(`--${long} was given twice`, { hint: once });
  checkForms(forms, typed);
}

/** Refuses missing and superfluous arguments. The message does not repeat them: one may be a key. */
function checkArguments(command: Command, path: readonly string[], typed: ParsedArgs): void {
  const { args } = typed;
  const taken = command.args ?? [];
  const missing = taken[args.length];
  if (missing && !missing.optional) {
    throw new UsageError(`<${missing.name}> is missing`, {
      hint: missing.choices ? `use one of ${missing.choices.join(', ')}` : `see riskcli help ${path.join(' ')}`,
    });
  }
  if (taken.at(-1)?.variadic || args.length <= taken.length) return;
  const count = taken.length === 0 ? 'no arguments' : taken.length === 1 ? 'one argument' : `${taken.length} arguments`;
  const name = path.join(' ');
  throw new UsageError(`${name} takes ${count}, but ${args.length} ${verbFor(args.length, 'was')} given`, {
    hint: command.excessHint ?? `see riskcli help ${name}`,
  });
}
