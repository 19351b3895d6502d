/**
 * A command has forms: one wallet or a list, a request that is sent or printed. What a form cannot honour is refused, and not
 * ignored in silence: whoever typed it would believe that it was done. Each rule is a row beside the flags of its command.
 */
import { UsageError } from '../errors.ts';
import type { ParsedArgs } from './flag.ts';

export interface Form {
  /** Whether a command line is of this form. */
  readonly when: (typed: ParsedArgs) => boolean;
  /** The flags that it cannot honour, by their long names. */
  readonly refuses: readonly string[];
  /** What is wrong with such a flag, `--journal`. */
  readonly message: (flag: string) => string;
  /** What to do instead. */
  readonly hint: string;
}

/** @throws UsageError for a flag that was typed and that the form of the command cannot honour */
export function checkForms(forms: readonly Form[], typed: ParsedArgs): void {
  for (const { when, refuses, message, hint } of forms) {
    const long = refuses.find((one) => typed.words(one) !== undefined);
    if (long !== undefined && when(typed)) throw new UsageError(message(`--${long}`), { hint });
  }
}
