/** The terminal on which somebody reads what a command prints. */
import { type ColorChoice, colorLevel } from '../../cli/color.ts';
import type { Context } from '../../context.ts';
import type { Terminal } from '../../output/terminal/table.ts';
import { columnsOf } from '../../text/width.ts';

/** Undefined where stdout is none, or where `output` is a file. */
export function terminalOf(
  { output, color }: { readonly output?: string | undefined; readonly color: ColorChoice | undefined },
  { stdout, env }: Pick<Context, 'stdout' | 'env'>,
): Terminal | undefined {
  const isRead = (stdout.isTTY ?? false) && (output === undefined || output === '-');
  return isRead ? { width: columnsOf(stdout), color: colorLevel(stdout, { flag: color, env }) } : undefined;
}
