/** What a person likes to read after a command that went well; a script's stderr stays empty. */
import type { Context } from '../context.ts';

/** A note, when stderr is a terminal. */
export function remark(text: string, context: Context): void {
  if (context.stderr.isTTY) context.report.note(text);
}
