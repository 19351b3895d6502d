/**
 * The other entry point, for shells that complete a command line: `riskcli __complete WORDS...`. A
 * key press waits for it, so it loads neither commander nor any command. When something goes wrong,
 * it offers nothing and prints nothing.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { answer } from './cli/completion/answer.ts';
import type { CompletionTable } from './cli/completion/table.ts';
import { PACKAGE_ROOT } from './version.ts';

/** The entry point for the launcher. */
export async function start(): Promise<void> {
  try {
    const table: CompletionTable = JSON.parse(readFileSync(join(PACKAGE_ROOT, 'dist/completion.json'), 'utf8'));
    process.stdout.write(await answer(process.argv.slice(3), { table, environments }));
  } catch {
    // A shell would show the message in the middle of the line that is being typed.
  }
}

/**
 * The environments of this machine. Few lines ask for them, and they are in files. @throws IoError
 */
async function environments(): Promise<readonly string[]> {
  const { createReporter } = await import('./cli/messages.ts');
  const { processHost } = await import('./host/process-host.ts');
  const { environmentNames } = await import('./settings/files.ts');
  const host = processHost();
  return environmentNames({ ...host, report: createReporter({ stderr: host.stderr, quiet: true }) });
}
