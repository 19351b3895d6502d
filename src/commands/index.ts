/** The table of commands, in the order of the help. */
import type { CommandBody, CommandEntry } from '../cli/command.ts';

/** @param load loads the command's file, which exports it under its name */
const entry = <Name extends string>(
  name: Name,
  page: string,
  summary: string,
  load: () => Promise<Readonly<Record<Name, CommandBody>>>,
): CommandEntry => ({ name, summary, page, load: async () => (await load())[name] });

export const commands: readonly CommandEntry[] = [
  entry('profile', 'lists', 'Show the risk profile of wallets', () => import('./profile/profile.ts')),
  entry('review', 'over-time', 'Show which wallets need a look, and what changed', () => import('./review/review.ts')),
  entry('diff', 'over-time', 'Show what changed between two runs', () => import('./diff/diff.ts')),
  entry('health', 'monitoring', 'Check that the service is up', () => import('./health.ts')),
  entry('keys', 'settings', 'Store, show, list, remove and check API keys', () => import('./keys.ts')),
  entry('config', 'settings', 'Store, show and remove settings', () => import('./config.ts')),
  entry('journal', 'lists', 'Inspect and clean a journal', () => import('./journal.ts')),
  entry('policy', 'conditions', 'Check a policy, and write exceptions into it', () => import('./policy/policy.ts')),
  entry('doctor', 'settings', "Check this machine's set-up", () => import('./doctor.ts')),
  entry('report', 'over-time', 'Show the figures of a run, or write its page', () => import('./report.ts')),
  entry('sandbox', 'recipes', 'Run the service on this machine, with made-up data', () => import('./sandbox.ts')),
  entry('schema', 'formats', 'Print the JSON Schema of an output', () => import('./schema.ts')),
  entry('completion', 'platforms', 'Print the completion script of a shell', () => import('./completion.ts')),
];
