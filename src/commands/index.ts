/** The table of commands, in the order of the help. */
import type { CommandEntry } from '../cli/command.ts';

export const commands: readonly CommandEntry[] = [
  {
    name: 'profile',
    summary: 'Show the risk profile of wallets',
    page: 'lists',
    load: async () => (await import('./profile/profile.ts')).profile,
  },
  {
    name: 'review',
    summary: 'Say who in a list needs a look, and what changed',
    page: 'over-time',
    load: async () => (await import('./review/review.ts')).review,
  },
  {
    name: 'diff',
    summary: 'Show what changed between two runs',
    page: 'over-time',
    load: async () => (await import('./diff/diff.ts')).diff,
  },
  {
    name: 'health',
    summary: 'Check that the service is up',
    page: 'monitoring',
    load: async () => (await import('./health.ts')).health,
  },
  {
    name: 'keys',
    summary: 'Store, show, list, remove and check API keys',
    page: 'settings',
    load: async () => (await import('./keys.ts')).keys,
  },
  {
    name: 'config',
    summary: 'Store, show and remove settings',
    page: 'settings',
    load: async () => (await import('./config.ts')).config,
  },
  {
    name: 'journal',
    summary: 'Inspect and clean a journal',
    page: 'lists',
    load: async () => (await import('./journal/journal.ts')).journal,
  },
  {
    name: 'policy',
    summary: 'Check a policy, and write exceptions into it',
    page: 'conditions',
    load: async () => (await import('./policy/policy.ts')).policy,
  },
  {
    name: 'doctor',
    summary: "Check this machine's set-up",
    page: 'settings',
    load: async () => (await import('./doctor.ts')).doctor,
  },
  {
    name: 'report',
    summary: 'Show the figures of a run, or write its page',
    page: 'over-time',
    load: async () => (await import('./report.ts')).report,
  },
  {
    name: 'sandbox',
    summary: 'Run the service on this machine, with made-up data',
    page: 'recipes',
    load: async () => (await import('./sandbox.ts')).sandbox,
  },
  {
    name: 'schema',
    summary: 'Print the JSON Schema of an output',
    page: 'formats',
    load: async () => (await import('./schema.ts')).schema,
  },
  {
    name: 'completion',
    summary: 'Print the completion script of a shell',
    page: 'platforms',
    load: async () => (await import('./completion.ts')).completion,
  },
];
