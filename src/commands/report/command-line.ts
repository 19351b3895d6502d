/** The command line that a report names, so that it can be made again: without anything that may be a secret. */
import type { ParsedArgs } from '../../cli/flag.ts';
import { visibleName } from '../../text/escape.ts';
import { shellWord } from '../../text/shell.ts';

interface Shown {
  readonly values: readonly string[];
  readonly repeatable: readonly string[];
}

/** Values that are options of the command, in the order of its help. */
const SHOWN: Shown = {
  values: ['env', 'wallet-format', 'score', 'format', 'output', 'title', 'baseline', 'policy'],
  repeatable: ['fail-if', 'accept'],
};

export function commandLine(typed: ParsedArgs, platform: string): string {
  const quotedForShell = (word: string) => shellWord(visibleName(word), platform);
  const words = typed.args.map(quotedForShell);
  for (const long of SHOWN.values) {
    const value = typed.text(long);
    if (value !== undefined) words.push(`--${long}`, quotedForShell(value));
  }
  for (const long of SHOWN.repeatable) {
    for (const value of typed.all(long)) words.push(`--${long}`, quotedForShell(value));
  }
  return ['riskcli', 'report', ...words].join(' ');
}
