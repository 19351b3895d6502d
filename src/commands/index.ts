/** The table of commands, in the order of the help: a line each. */
import type { CommandEntry } from '../cli/command.ts';

export const commands: readonly CommandEntry[] = [
  entry(
    'profile',
    'Show the risk profile of wallets',
    'lists',
    async () => (await import('./profile/profile.ts')).profile,
  ),
  entry(
    'review',
    'Say who in a list needs a look, and what changed',
    'over-time',
    async () => (await import('./review/review.ts')).review,
  ),
  entry('diff', 'Show what changed between two runs', 'over-time', async () => (await import('./diff/diff.ts')).diff),
  entry('health', 'Check that the service is up', 'monitoring', async () => (await import('./health.ts')).health),
  entry(
    'keys',
    'Store, show, list, remove and check API keys',
    'settings',
    async () => (await import('./keys.ts')).keys,
  ),
  entry('config', 'Store, show and remove settings', 'settings', async () => (await import('./config.ts')).config),
  entry(
    'journal',
    'Inspect, export and clean a journal',
    'lists',
    async () => (await import('./journal/journal.ts')).journal,
  ),
  entry(
    'policy',
    'Check a policy, and write exceptions into it',
    'conditions',
    async () => (await import('./policy/policy.ts')).policy,
  ),
  entry('doctor', "Check this machine's set-up", 'settings', async () => (await import('./doctor.ts')).doctor),
  entry(
    'report',
    'Show the figures of a run, or write its page',
    'over-time',
    async () => (await import('./report.ts')).report,
  ),
  entry(
    'sandbox',
    'Run the service on this machine, with made-up data',
    'recipes',
    async () => (await import('./sandbox.ts')).sandbox,
  ),
  entry('schema', 'Print the JSON Schema of an output', 'formats', async () => (await import('./schema.ts')).schema),
  entry(
    'completion',
    'Print the completion script of a shell',
    'platforms',
    async () => (await import('./completion.ts')).completion,
  ),
];

function entry(name: string, summary: string, page: string, load: CommandEntry['load']): CommandEntry {
  return { name, summary, page, load };
}
