/**
 * What riskcli prints, says and writes for many command lines, as it was recorded. `npx vitest run
 * test/recorded --update` records it anew, and `git diff` shows what has changed.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { play, type Result } from './play.ts';

/** Said when something is not as it was recorded. */
const ADVICE = 'not as recorded: if that is meant, run this file with --update, and look at git diff';

/**
 * Hundreds of lines are one test: against hangs only, since a machine that is busy may take long.
 */
const TIMEOUT_MS = 600_000;

const room = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/**
 * The lines of a scene have no empty line between them. One that begins with `#` is for who reads
 * it.
 */
async function played(recording: string): Promise<string> {
  const texts: string[] = [];
  for (const scene of recording.split(/\n{2,}/)) {
    const comments = scene.split('\n').filter((line) => line.startsWith('#'));
    const lines = scene.split('\n').flatMap((line) => (line.startsWith('$ ') ? [line.slice(2)] : []));
    const results = lines.length > 0 ? await play(lines) : [];
    texts.push([...comments.map((line) => `${line}\n`), ...results.map(wholeText)].join(''));
  }
  return texts.join('\n');
}

/**
 * `> ` stands before what was printed, `! ` before what was said, `+ ` before a file that is new
 * or changed, `- ` before one that is gone.
 */
function wholeText({ line, exitCode, stdout, stderr, files }: Result): string {
  const changed = [...files].flatMap(([name, text]) => fileText(name, text));
  return joined([`$ ${line}`, `exit ${exitCode}`, ...block('> ', stdout), ...block('! ', stderr), ...changed]);
}

const joined = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join('');

const fileText = (name: string, text: string | undefined) =>
  text === undefined ? [`- ${name}`] : [`+ ${name}`, ...block('  | ', text)];

function block(mark: string, text: string): readonly string[] {
  if (text === '') return [];
  const end = text.endsWith('\n') ? [] : [`${mark.trimEnd()}(no newline)`];
  return [...linesOf(text).map((line) => (line === '' ? mark.trimEnd() : `${mark}${line}`)), ...end];
}

const linesOf = (text: string) => (text === '' ? [] : (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n'));

describe('command lines that were recorded', () => {
  const names = readdirSync(room('scenes')).filter((name) => name.endsWith('.txt'));
  it.each(names)('shows the recorded texts of %s', { timeout: TIMEOUT_MS }, async (name) => {
    const path = room(`scenes/${name}`);
    await expect(await played(readFileSync(path, 'utf8')), ADVICE).toMatchFileSnapshot(path);
  });
});
