/**
 * Runs what a document shows. A fenced block marked `console` holds commands (`$ ` in front, `> `
 * for continued lines) and below each what it prints, stdout and stderr together. `[..]` stands for
 * anything within a line, a line `...` for any lines. Commands must succeed; one that should not
 * says so itself: `$ riskcli profile nonsense; echo $?`.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bareEnv, RISKCLI_WORDS, runLine } from '../../fixtures/cli/process.ts';

export interface Step {
  readonly line: number;
  readonly command: string;
  readonly expected: readonly string[];
}

/** The steps of every `console` block of `markdown`, in order. */
export function stepsOf(markdown: string): Step[] {
  const steps: { line: number; command: string; expected: string[] }[] = [];
  let inside = false;
  for (const [i, line] of markdown.split('\n').entries()) {
    if (line.startsWith('```')) inside = line === '```console';
    else if (!inside) continue;
    else if (line.startsWith('$ ')) steps.push({ line: i + 1, command: line.slice(2), expected: [] });
    else if (line.startsWith('> ') && steps.at(-1)?.expected.length === 0)
      steps.at(-1)!.command += `\n${line.slice(2)}`;
    else steps.at(-1)?.expected.push(line);
  }
  return steps;
}

/** Whether `actual` is what `expected` shows. */
export function matches(actual: string, expected: readonly string[]): boolean {
  const literal = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const pattern = expected.map((line) =>
    line === '...' ? '(?:.*\\n)*' : `${line.split('[..]').map(literal).join('.*')}\\s*\\n`,
  );
  return new RegExp(`^${pattern.join('')}\\s*$`).test(actual === '' || actual.endsWith('\n') ? actual : `${actual}\n`);
}

/** How a step went: its output, as a terminal would show it, and its exit code. */
export interface Outcome {
  readonly output: string;
  readonly exitCode: number;
}

/**
 * A folder with a home and `riskcli` on the path, in which the steps of one document run one after
 * another.
 */
export function createStage(env: Record<string, string> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'riskcli-stage-'));
  const bin = join(folder, 'bin');
  const work = join(folder, 'work');
  mkdirSync(bin);
  mkdirSync(work);
  writeFileSync(join(bin, 'riskcli'), `#!/bin/sh\nexec ${RISKCLI_WORDS} "$@"\n`, { mode: 0o755 });
  const vars = bareEnv({
    HOME: folder,
    XDG_STATE_HOME: join(folder, 'state'),
    PATH: `${bin}:${process.env.PATH}`,
    LC_ALL: 'C.UTF-8',
    ...env,
  });
  return {
    folder: work,
    /** Runs `commands` in one shell, whatever they end with. */
    async run(commands: readonly string[]): Promise<readonly Outcome[]> {
      const lines = commands.map((command) => `${command}\nprintf '${END_OF_STEP}%d${END_OF_STEP}' $?`);
      const { stdout } = await runLine(`exec 2>&1\n${lines.join('\n')}`, { cwd: work, env: vars });
      const pieces = stdout.split(END_OF_STEP);
      return commands.map((_, i) => ({ output: pieces[2 * i] ?? '', exitCode: Number(pieces[2 * i + 1]) }));
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** A character that no step prints. */
const END_OF_STEP = '\u0001';
