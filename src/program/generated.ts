/** What the build writes beside the bundles, by file name: the table for completions, and manual pages. */
import { GLOBAL_FLAGS } from '../cli/global-flags.ts';
import { commands, loadCommand } from '../commands/index.ts';
import { completionTable } from './completion/table.ts';
import { manPages, type PageOptions } from './man/pages.ts';

export async function generated(options: PageOptions) {
  const all = await Promise.all(commands.map(loadCommand));
  return {
    completion: JSON.stringify(completionTable(all, GLOBAL_FLAGS)),
    man: await manPages(all, options),
  };
}
