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
export function terminalOf(options: TerminalOptions, context: Streams): Terminal | undefined {
  const { stdout } = context;
  return stdout.isTTY && goesToStdout(options)
    ? { width: terminalColumns(stdout), color: chosenColorLevel(options, context) }
    : undefined;
}

/**
 * For text that is laid out in a pipe too, and coloured there if asked. What riskcli adds is ASCII
 * there: cron mails it, and mail programs guess the encoding.
 */
export function terminalOrPipe(options: TerminalOptions, context: Streams): Terminal {
  const color = goesToStdout(options) ? chosenColorLevel(options, context) : 0;
  return terminalOf(options, context) ?? { width: TEXT_WIDTH, color, ellipsis: '...' };
}

const goesToStdout = ({ output = '-' }: TerminalOptions) => output === '-';

const chosenColorLevel = ({ color }: TerminalOptions, { stdout, env }: Streams) =>
  colorLevel(stdout, { flag: color, env });
