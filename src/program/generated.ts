/** What the build writes beside the bundles, by file name: completion scripts, which are checked in, and manual pages. */
import { GLOBAL_FLAGS } from '../cli/flags.ts';
import { commands, loadCommand } from '../commands/index.ts';
import { completionScripts } from './completion/scripts.ts';
import { manPages, type PageOptions } from './man/pages.ts';

type Files = Readonly<Record<string, string>>;

interface Generated {
  readonly completions: Files;
  readonly man: Files;
}

export async function generated(options: PageOptions): Promise<Generated> {
  const all = await Promise.all(commands.map(loadCommand));
  return { completions: completionScripts(all, GLOBAL_FLAGS), man: manPages(all, options) };
}
