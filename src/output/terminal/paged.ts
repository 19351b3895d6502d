/** What is longer than the screen goes through a pager, so that its beginning is seen first. */
import type { Context } from '../../context.ts';

/** Ends by itself where the text fits after all, lets colours through, and leaves the text where it was read. */
const DEFAULT_PAGER = 'less -FRX';

/** `blocks`, or nothing where the user has seen them page by page; `mayWait` says whether anybody is to be waited for. */
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

/** Undefined where there is none: PAGER says so by `cat` or by nothing, and a terminal that cannot move its cursor has none. */
function pagerOf({ env, platform }: Context): string | undefined {
  const { PAGER: command = platform === 'win32' ? '' : DEFAULT_PAGER, TERM } = env;
  return command.trim() === '' || command.trim() === 'cat' || TERM === 'dumb' ? undefined : command;
}

/** Whether `text` takes more lines than the screen has beside the one on which the shell asks. No line of a card is wider. */
function isLong(text: string, { stdout: { rows = 0 } }: Context): boolean {
  return rows > 0 && text.split('\n').length > rows;
}
