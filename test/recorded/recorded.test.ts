/**
 * What riskcli prints, says and writes for many command lines, as it was recorded. `npx vitest run
 * test/recorded --update` records it anew, and `git diff` shows what has changed.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { type Form, formsOfFlags } from './flags.ts';
import { play } from './play.ts';
import { createComparison, wholeText } from './text.ts';

/** Said when something is not as it was recorded. */
const ADVICE = 'not as recorded: if that is meant, run this file with --update, and look at git diff';

/** Hundreds of lines are one test: against hangs only, since a machine that is busy may take long. */
const TIMEOUT_MS = 600_000;

const room = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/** The lines of a scene have no empty line between them. One that begins with `#` is for who reads it. */
async function played(recording: string): Promise<string> {
  const texts: string[] = [];
  for (const scene of recording.split(/\n{2,}/)) {
    const told = scene.split('\n').filter((line) => line.startsWith('#'));
    const lines = scene.split('\n').flatMap((line) => (line.startsWith('$ ') ? [line.slice(2)] : []));
    const results = lines.length > 0 ? await play(lines) : [];
    texts.push([...told.map((line) => `${line}\n`), ...results.map(wholeText)].join(''));
  }
  return texts.join('\n');
}

describe('command lines that were recorded', () => {
  const names = readdirSync(room('scenes')).filter((name) => name.endsWith('.txt'));
  it.each(names)('%s', { timeout: TIMEOUT_MS }, async (name) => {
    const path = room(`scenes/${name}`);
    await expect(await played(readFileSync(path, 'utf8')), ADVICE).toMatchFileSnapshot(path);
  });
});

async function textOf({ base, variants }: Form): Promise<string> {
  const [first] = await play([base]);
  const compare = createComparison(first!);
  const texts = [wholeText(first!)];
  for (const { line, changesNothing } of variants) {
    const [result] = await play([line]);
    const text = compare(result!);
    texts.push(text);
    const isAsWithout = text.endsWith('\nas without\n');
    expect
      .soft({ line, isAsWithout }, 'CHANGES_NOTHING has what may say so')
      .toEqual({ line, isAsWithout: changesNothing });
  }
  return texts.join('\n');
}

const forms = await formsOfFlags();
const VERBS = new Set(forms.map(({ command }) => command.split(' ')[0]!));

describe('every flag of every command', () => {
  it.each([...VERBS])('%s', { timeout: TIMEOUT_MS }, async (verb) => {
    const texts: string[] = [];
    for (const form of forms) if (form.command.split(' ')[0] === verb) texts.push(await textOf(form));
    await expect(texts.join('\n'), ADVICE).toMatchFileSnapshot(room(`flags/${verb}.txt`));
  });
});
