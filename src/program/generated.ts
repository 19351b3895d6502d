/**
 * What the build writes beside the bundles, by file name: the table for completions, manual pages, and what `riskcli schema`
 * prints.
 */
import type { Command } from '../cli/command.ts';
import { GLOBAL_FLAGS } from '../cli/global-flags.ts';
import { commands, loadCommand } from '../commands/index.ts';
import { completionTable } from './completion/table.ts';
import { manPages, type PageOptions } from './man/pages.ts';
import { catalog, catalogIndex, commandDocuments } from './schema/catalog.ts';
import { outputSchemas } from './schema/schemas.ts';

export async function generated(options: PageOptions) {
  const all = await Promise.all(commands.map(loadCommand));
  return {
    completion: JSON.stringify(completionTable(all, GLOBAL_FLAGS)),
    man: await manPages(all, options),
    schema: schemaFiles(all, options),
  };
}

/** What `riskcli schema` prints: the index, everything, each output and each command. */
export function schemaFiles(
  all: readonly Command[],
  { version }: Pick<PageOptions, 'version'>,
): Record<string, string> {
  const documents = {
    index: catalogIndex(all, version),
    riskcli: catalog(all, version),
    ...outputSchemas(),
    ...Object.fromEntries(commandDocuments(all).map((one) => [`command-${one.name.replaceAll(' ', '-')}`, one])),
  };
  return Object.fromEntries(
    Object.entries(documents).map(([name, document]) => [`${name}.json`, `${JSON.stringify(document, null, 2)}\n`]),
  );
}
