/**
 * The window is closed, the connection is lost: the terminal of a run is gone from one moment to
 * the next.
 */

import { expect, it } from 'vitest';
import { BINARY, start } from '../../fixtures/cli/process.ts';
import { address } from '../../fixtures/place/wallets.ts';
import { workplace } from '../../fixtures/place/workplace.ts';
import { hasPython, PYTHON } from '../../fixtures/process/installed.ts';

/**
 * Runs programs, each on a terminal of its own; takes that away when a text has been seen on it,
 * and prints how it ended. Those that ignore SIGHUP were started so, as nohup does it.
 */
const HANG_UP = `
import json, os, pty, signal, sys
for ignored, seen, program in json.load(sys.stdin):
    child, terminal = pty.fork()
    if child == 0:
        if ignored: signal.signal(signal.SIGHUP, signal.SIG_IGN)
        os.execv(program[0], program)
    shown = b''
    while seen.encode() not in shown: shown += os.read(terminal, 4096)
    os.close(terminal)
    status = os.waitpid(child, 0)[1]
    print(-os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status), flush=True)
`;

import { isSlow } from '../../fixtures/sweep.ts';

const SIGHUP = 1;

interface Case {
  readonly argv: readonly string[];
  /** What is on the terminal when it goes away. */
  readonly seen: string;
  /**
   * In `npm test` only those are also tried that ignore the signal; test/slow tries all both ways.
   */
  readonly isAlsoIgnored?: true;
}

it.skipIf(!hasPython)('ends by SIGHUP without a crash when the terminal goes away, even if it is ignored', async () => {
  const place = workplace();
  place.write('list.txt', Array.from({ length: 300 }, (_, i) => address(i + 1)).join('\n'));
  const list = ['profile', '-f', 'list.txt', '--sandbox', '--rate', '20'];
  const cases: readonly Case[] = [
    { argv: ['sandbox'], seen: 'export' },
    { argv: ['keys', 'set', '--base-url', 'https://api.example.com'], seen: 'hidden', isAlsoIgnored: true },
    { argv: [...list, '--format', 'table'], seen: 'scored', isAlsoIgnored: true },
    ...(isSlow ? [{ argv: [...list, '-o', 'x.csv'], seen: '300' }] : []),
  ];
  const tried = [false, true].flatMap((isIgnored) =>
    cases
      .filter(({ isAlsoIgnored }) => !isIgnored || isAlsoIgnored || isSlow)
      .map(({ argv, seen }) => [isIgnored, seen, [process.execPath, BINARY, ...argv]] as const),
  );
  const child = start(`exec ${PYTHON} -c "$HANG_UP"`, {
    cwd: place.folder,
    env: { ...place.env, HANG_UP },
    input: JSON.stringify(tried),
  });
  const { stdout, stderr } = await child.done;
  expect(stderr).toBe('');
  const ended = stdout.trimEnd().split('\n').map(Number);
  expect(ended).toHaveLength(tried.length);
  for (const [i, status] of ended.entries()) {
    expect([129, -SIGHUP], `${tried[i]?.[2].slice(2).join(' ')} ended with ${status}`).toContain(status);
  }
});
