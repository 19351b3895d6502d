/** A real terminal with a shell in it, on which steps are done; terminal.py says which there are. */
import { spawn, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import type { Workplace } from '../place/workplace.ts';
import { PYTHON } from './installed.ts';

const TERMINAL = fileURLToPath(new URL('terminal.py', import.meta.url));

export const hasTerminal = spawnSync(PYTHON, ['-c', 'import pty, termios']).status === 0;

export type Step = readonly [string, ...string[]];

/** All that stands on the terminal after `steps`; its shell is bash, without line editing, unless `shell` is another. */
export async function atTerminal(
  { folder, env }: Pick<Workplace, 'folder' | 'env'>,
  steps: readonly Step[],
  shell: readonly string[] = [],
): Promise<string> {
  const child = spawn(PYTHON, [TERMINAL, JSON.stringify(steps), ...shell], {
    cwd: folder,
    env: { TERM: 'dumb', ...env },
  });
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (text) => (output.stdout += text));
  child.stderr.on('data', (text) => (output.stderr += text));
  const exitCode = await new Promise((resolve) => child.on('close', resolve));
  expect({ exitCode, stderr: output.stderr }).toEqual({ exitCode: 0, stderr: '' });
  return JSON.parse(output.stdout);
}
