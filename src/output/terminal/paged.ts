/** Shows output that is longer than the screen in a pager, so that its beginning is seen first. */
import type { Context } from '../../context.ts';

/** With the options of PAGER_ENV (host/pager.ts), even where LESS has others. */
const DEFAULT_PAGER = 'less -FRX';

/**
 * Yields `blocks`, or nothing if they were shown in a pager.
 * @param mayWait whether a pager may be used
 */
export async function* paged(
  blocks: AsyncIterable<string> | Iterable<string>,
  { context, mayWait }: { readonly context: Context; readonly mayWait: boolean },
): AsyncGenerator<string> {
  const command = mayWait ? pagerOf(context) : undefined;
  if (command === undefined) return yield* blocks;
  let text = '';
  for await (const block of blocks) text += block;
  if (!isLong(text, context) || !(await context.page(text, command))) yield text;
}

/**
 * The pager command; undefined if PAGER is empty or `cat`, or the terminal cannot move its cursor.
 */
function pagerOf({ env, platform }: Context): string | undefined {
  const { PAGER: command = platform === 'win32' ? '' : DEFAULT_PAGER, TERM } = env;
  return command.trim() === '' || command.trim() === 'cat' || TERM === 'dumb' ? undefined : command;
}

/**
 * Whether `text` and the shell's prompt need more lines than the screen has. No line is wider than
 * the screen.
 */
const isLong = (text: string, { stdout: { rows = 0 } }: Context): boolean => rows > 0 && text.split('\n').length > rows;
