/** The pages of docs/ that `riskcli help TOPIC` prints as they stand, by the names of their files; and the skill for agents. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { IoError } from '../errors.ts';
import { PACKAGE_ROOT } from '../version.ts';

/** In the order in which the root help names them. */
export const TOPICS = [
  { name: 'settings', summary: 'Options, variables, environments, the key' },
  { name: 'formats', summary: 'What is printed in which format, and where it goes' },
  { name: 'lists', summary: 'What a list may be, stops, pace and cost' },
  { name: 'conditions', summary: 'What --fail-if and --where ask of a row; policies' },
  { name: 'over-time', summary: 'Journals, diff and report' },
  { name: 'monitoring', summary: 'Health, cron, Prometheus, systemd, Icinga' },
  { name: 'containers', summary: 'The image, and what it needs' },
  { name: 'platforms', summary: 'Linux, macOS, Windows; completions' },
  { name: 'recipes', summary: 'The sandbox, a weekly mail, a gate, a spreadsheet' },
  { name: 'errors', summary: 'Exit codes and error codes, and what to do' },
  { name: 'agents', summary: 'How a program spends nothing by accident' },
] as const;

/** The text of a page; undefined when `name` is none. @throws IoError when its file is missing */
export function topicPage(name: string): string | undefined {
  if (!TOPICS.some((topic) => topic.name === name)) return undefined;
  const path = name === 'agents' ? 'share/skills/riskcli/SKILL.md' : `docs/${name}.md`;
  try {
    // The skill begins with what programs read of it.
    return readFileSync(join(PACKAGE_ROOT, path), 'utf8').replace(/^---\n.*?\n---\n+/s, '');
  } catch (cause) {
    throw new IoError(`the page ${path} is missing`, { hint: 'install riskcli again', cause });
  }
}
