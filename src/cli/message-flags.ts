/**
 * In which form stderr speaks, plain lines or JSON, and how much it says. A command line that is wrong is answered in the
 * form that it asked for, too, as far as it could be read.
 */
import type { ParsedArgs } from './flag.ts';
import { asksForJson } from './formats.ts';

export interface MessageFlags {
  readonly json: boolean;
  readonly quiet: boolean;
  readonly verbose: boolean;
  /** Typed twice. */
  readonly headers: boolean;
  readonly debug: boolean;
}

/** @param leftOver words of a wrong command line that no option took: `--json` where it is not known is still a wish. */
export function messageFlags(typed: ParsedArgs, leftOver: readonly string[]): MessageFlags {
  const end = leftOver.indexOf('--');
  const isTyped = (long: string) => typed.words(long) !== undefined;
  const strays = end < 0 ? leftOver : leftOver.slice(0, end);
  return {
    json: asksForJson(typed, strays),
    quiet: isTyped('quiet'),
    verbose: isTyped('verbose'),
    headers: (typed.words('verbose') ?? []).length > 1,
    debug: isTyped('debug'),
  };
}
