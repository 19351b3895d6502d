/** Pages of help about topics, in the order in which the root help names them. Each is a page of docs/. */
import type { Block } from './page.ts';

export interface Topic {
  readonly name: string;
  readonly summary: string;
  /** Loads the page, which is a bundle of its own. */
  readonly load: () => Promise<{ readonly blocks: readonly Block[] }>;
}

const conditions = () => import('../../../docs/conditions-and-policy.md');

export const topics: readonly Topic[] = [
  {
    name: 'settings',
    summary: 'Options, variables, environments, the key',
    load: () => import('../../../docs/settings.md'),
  },
  {
    name: 'formats',
    summary: 'What is printed in which format, and where it goes',
    load: () => import('../../../docs/formats.md'),
  },
  { name: 'lists', summary: 'What a list may be, stops, pace and cost', load: () => import('../../../docs/lists.md') },
  { name: 'conditions', summary: 'What --fail-if and --where ask of a row', load: conditions },
  { name: 'policy', summary: 'Rules and exceptions in a file, for --policy', load: conditions },
  { name: 'over-time', summary: 'Journals, diff and report', load: () => import('../../../docs/over-time.md') },
  {
    name: 'monitoring',
    summary: 'Health, cron, Prometheus, systemd, Icinga',
    load: () => import('../../../docs/monitoring.md'),
  },
  { name: 'containers', summary: 'The image, and what it needs', load: () => import('../../../docs/containers.md') },
  {
    name: 'platforms',
    summary: 'Linux, macOS, Windows; completions',
    load: () => import('../../../docs/platforms.md'),
  },
  { name: 'recipes', summary: 'A weekly mail, a gate, erasure', load: () => import('../../../docs/recipes.md') },
  {
    name: 'exit-codes',
    summary: 'Exit codes and error codes, and what to do',
    load: () => import('../../../docs/errors.md'),
  },
  {
    name: 'agents',
    summary: 'How a program spends nothing by accident',
    load: () => import('../../../share/skills/riskcli/SKILL.md'),
  },
];
