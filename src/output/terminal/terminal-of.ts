/** The terminal on which somebody reads what a command prints. */

import type { Context } from '../../context.ts';
import { TEXT_WIDTH, terminalColumns } from '../../text/columns.ts';
import { type ColorChoice, colorLevel } from './color.ts';
import type { Terminal } from './lines.ts';

interface TerminalOptions {
  /** The file of -o. */
  readonly output?: string | undefined;
  readonly color: ColorChoice | undefined;
}

type Streams = Pick<Context, 'stdout' | 'env'>;

/** Undefined where stdout is not a terminal, or nothing is written there. */
export function terminalOf({ output = '-', color }: TerminalOptions, { stdout, env }: Streams): Terminal | undefined {
  if (!stdout.isTTY || output !== '-') return undefined;
  return { width: terminalColumns(stdout), color: colorLevel(stdout, { flag: color, env }) };
}

/**
 * For text that is laid out in a pipe too, and coloured there if asked. What riskcli adds is ASCII
 * there: cron mails it, and mail programs guess the encoding.
 */
export function terminalOrPipe(options: TerminalOptions, context: Streams): Terminal {
  const { output = '-', color: flag } = options;
  const color = output === '-' ? colorLevel(context.stdout, { flag, env: context.env }) : 0;
  return terminalOf(options, context) ?? { width: TEXT_WIDTH, color, ellipsis: '...' };
}
