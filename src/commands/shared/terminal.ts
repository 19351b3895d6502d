/** The terminal on which somebody reads what a command prints. */
import { type ColorChoice, colorLevel } from '../../cli/color.ts';
import { type AskedFormat, outputsOf } from '../../cli/formats.ts';
import type { Context } from '../../context.ts';
import type { Terminal } from '../../output/terminal/table.ts';
import { columnsOf } from '../../text/width.ts';

/** Undefined where stdout is none, or where nothing is written there. */
export function terminalOf(
  { output, color }: Pick<AskedFormat, 'output'> & { readonly color: ColorChoice | undefined },
  { stdout, env }: Pick<Context, 'stdout' | 'env'>,
): Terminal | undefined {
  const files = outputsOf({ output });
  const isRead = (stdout.isTTY ?? false) && (files.length === 0 || files.includes('-'));
  return isRead ? { width: columnsOf(stdout), color: colorLevel(stdout, { flag: color, env }) } : undefined;
}
