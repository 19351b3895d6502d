/**
 * A command has forms: one wallet or a list, a key or a command that prints it. A flag that a form cannot honour is refused
 * rather than silently ignored. Each rule is a row beside the flags of its command.
 */
import { UsageError } from '../errors.ts';
import type { ParsedArgs } from './flag.ts';

/** What was typed, by which a form is recognised. */
export interface TypedLine {
  readonly args: readonly string[];
  /** Whether the flag with this long name was typed. */
  readonly isTyped: (long: string) => boolean;
}

export interface Form {
  /** Whether a command line is of this form. */
  readonly when: (line: TypedLine) => boolean;
  /** The flags that it cannot honour, by their long names. */
  readonly refuses: readonly string[];
  /** What is wrong with such a flag, `--journal`. */
  readonly message: (flag: string) => string;
  /** What to do instead. */
  readonly hint: string;
}

/** @throws UsageError for a flag that was typed and that the form of its command cannot honour */
export function checkForms(forms: readonly Form[], typed: ParsedArgs): void {
  const line: TypedLine = { args: typed.args, isTyped: (long) => typed.words(long) !== undefined };
  for (const form of forms) {
    const refused = form.refuses.find(line.isTyped);
    if (refused !== undefined && form.when(line))
      throw new UsageError(form.message(`--${refused}`), { hint: form.hint });
  }
}
