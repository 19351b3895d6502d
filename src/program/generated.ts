/** The table for completions, which the build writes beside the bundles. */
import { GLOBAL_FLAGS } from '../cli/global-flags.ts';
import { commands, loadCommand } from '../commands/index.ts';
import { completionTable } from './completion/table.ts';

export async function completionFile(): Promise<string> {
  return JSON.stringify(completionTable(await Promise.all(commands.map(loadCommand)), GLOBAL_FLAGS));
}
