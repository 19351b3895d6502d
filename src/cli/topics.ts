/**
 * The texts of `riskcli help WORD` that are about no command: the pages of docs/ as they stand, by
 * the names of their files; the skill for agents; and what an exit code or an error code means.
 */
import { ERROR_CODES, type ErrorKind } from '../error-codes.ts';
import { readPackageFile } from '../files/package-file.ts';

/** In the order in which the root help names them. */
export const TOPICS = [
  { name: 'settings', summary: 'Options, variables, environments, the key' },
  { name: 'formats', summary: 'What is printed in which format, and where it goes' },
  { name: 'lists', summary: 'Formats of lists, resuming, speed and cost' },
  { name: 'conditions', summary: 'Conditions of --fail-if and --where; policies' },
  { name: 'over-time', summary: 'Review, diff and report: a run is a file' },
  { name: 'monitoring', summary: 'Health, cron, Prometheus, systemd, Icinga' },
  { name: 'containers', summary: 'The image, and what it needs' },
  { name: 'platforms', summary: 'Linux, macOS, Windows; completions' },
  { name: 'recipes', summary: 'The sandbox, a weekly mail, a gate, a spreadsheet' },
  { name: 'errors', summary: 'Exit codes and error codes, and what to do' },
  { name: 'service', summary: 'What riskcli relies on in the service' },
  { name: 'agents', summary: 'How programs and agents waste no requests' },
] as const;

/**
 * The page of the topic `word`, or else two lines on the exit or error code. @throws IoError when a
 * page's file is missing
 */
export const pageAbout = (word: string): string | undefined => topicPage(word) ?? codeHelp(word);

function topicPage(name: string): string | undefined {
  if (!TOPICS.some((topic) => topic.name === name)) return undefined;
  const path = name === 'agents' ? 'share/skills/riskcli/SKILL.md' : `docs/${name}.md`;
  return readPackageFile(path);
}

const ERROR_KINDS: readonly (readonly [string, ErrorKind])[] = Object.entries(ERROR_CODES);

/**
 * The meaning of `word`, and what to do. The first error code of an exit code speaks for all that
 * have it.
 */
function codeHelp(word: string): string | undefined {
  if (word === '0') return 'exit 0: success\neverything requested was answered\n';
  for (const [code, { exits, means, next }] of ERROR_KINDS) {
    if (String(exits[0]) === word) return `exit ${word}: ${means}\n${next}\n`;
    const ends = exits.length > 0 ? `exit ${exits.join(', ')}` : 'rows only';
    if (code === word) return `${word} (${ends}): ${means}\n${next}\n`;
  }
  return undefined;
}
