/**
 * Which rows of a list or a diff are printed, and in what order: --where, --sort and --top.
 * sort-key.ts compares rows.
 */
import { UsageError } from '../errors.ts';
import { quoted, quotedWord } from '../secrets/redact.ts';
import type { Operand } from './conditions.ts';
import { parseOperand } from './parse-condition.ts';
import type { Expression } from './rules.ts';

export interface Shape {
  /** Rows for which it does not hold, or is unknown, are left out. */
  readonly where?: Expression | undefined;
  readonly sort?: Sort | undefined;
  /** How many rows are printed at most. */
  readonly top?: number | undefined;
}

export interface Sort extends Operand {
  /** As it was typed, for messages. */
  readonly text: string;
  readonly descending: boolean;
}

/**
 * Parses `PATH`, `PATH:asc` or `PATH:desc`.
 * @throws UsageError
 */
export function parseSort(text: string): Sort {
  const [, path = text, direction = 'asc'] = /^(.*):([a-z]+)$/is.exec(text.trim()) ?? [];
  if (direction === 'asc' || direction === 'desc') {
    return { text, ...parseOperand(path.trim()), descending: direction === 'desc' };
  }
  throw new UsageError(`--sort cannot read ${quoted(text)}: a direction is asc or desc`, {
    hint: 'write it like defi_score.defi_score:desc, and put a key that contains : in brackets: ["a:b"]',
  });
}

/**
 * Parses the N of --top.
 * @throws UsageError
 */
export function parseTop(text: string): number {
  const top = Number(text);
  if (/^\d+$/.test(text) && top > 0) return top;
  throw new UsageError(`--top cannot be ${quotedWord(text)}`, { hint: 'give a whole number above 0' });
}
