/** The window is closed, the connection is lost: the terminal of a run is gone from one moment to the next. */

import { describe, expect, it } from 'vitest';
import { RISKCLI, start } from '../../fixtures/cli/process.ts';
import { address } from '../../fixtures/place/wallets.ts';
import { workplace } from '../../fixtures/place/workplace.ts';
import { hasPython, PYTHON } from '../../fixtures/process/installed.ts';
import { closedPort } from '../../fixtures/service/server.ts';

/** Runs a program on a terminal of its own, takes that away when a text has been seen on it, and prints how it ended. */
const HANG_UP = `
import os, pty, signal, sys
ignored, seen, program = sys.argv[1] == 'ignored', sys.argv[2].encode(), sys.argv[3:]
child, terminal = pty.fork()
if child == 0:
    if ignored: signal.signal(signal.SIGHUP, signal.SIG_IGN)
    os.execv(program[0], program)
shown = b''
while seen not in shown: shown += os.read(terminal, 4096)
os.close(terminal)
status = os.waitpid(child, 0)[1]
print(-os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status))
`;
const SIGHUP = 1;

describe.skipIf(!hasPython).each([['default'], ['ignored']])('the terminal goes away, SIGHUP %s', (disposition) => {
  it.each([
    ['health --wait', 'trying again', (url: string) => ['health', '-v', '--wait', '60s', '--base-url', url]],
    ['sandbox', 'export', () => ['sandbox']],
    ['keys set', 'hidden', () => ['keys', 'set', '--base-url', 'https://api.example.com']],
    ['a list', 'scored', () => ['profile', '-f', 'list.txt', '--sandbox', '--rate', '20', '--format', 'table']],
    ['a list into a file', '300', () => ['profile', '-f', 'list.txt', '--sandbox', '--rate', '20', '-o', 'x.csv']],
  ])('[75] %s ends by the hang-up, without an abort', async (_, seen, argv) => {
    const place = workplace();
    place.write('list.txt', Array.from({ length: 300 }, (_, i) => address(i + 1)).join('\n'));
    const program = [process.execPath, ...RISKCLI, ...argv(`http://127.0.0.1:${await closedPort()}`)];
    const args = ['-c', HANG_UP, disposition, seen, ...program].map((arg) => `'${arg.replaceAll("'", "'\\''")}'`);
    const { stdout, stderr } = await start(`${PYTHON} ${args.join(' ')}`, { cwd: place.folder, env: place.env }).done;
    expect(stderr).toBe('');
    expect([129, -SIGHUP]).toContain(Number(stdout));
  });
});
