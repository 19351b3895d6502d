/** A program that shows a long text on the terminal, page by page. */
import { spawn } from 'node:child_process';
import type { Socket } from 'node:net';

/** A command that ends sooner without having read everything was not a pager. */
const GLANCE_MS = 1_000;

/**
 * Options of less and lv unless the user has set their own, as git sets them: without, both show
 * colours as escapes. -F quits if the text fits on one screen, -R and -c pass colours, -X leaves
 * the text on the screen.
 */
const PAGER_ENV = { LESS: 'FRX', LV: '-c' };

/**
 * As `page` of the host. Meanwhile Ctrl-C is for the pager, where it ends a search: it must not end
 * this process.
 */
export function page(text: string, command: string, now = () => performance.now()): Promise<boolean> {
  const startedAt = now();
  const { child, end } = startReader(command, text);
  const ours = process.rawListeners('SIGINT') as (() => void)[];
  const ignore = () => {};
  process.removeAllListeners('SIGINT').on('SIGINT', ignore);
  return new Promise<boolean>((resolve) => {
    child.on('error', () => resolve(false));
    child.on('close', (exitCode) => {
      const wasRead = end.isWhole || now() - startedAt > GLANCE_MS;
      resolve(exitCode === 0 && wasRead);
    });
  }).finally(() => {
    process.off('SIGINT', ignore);
    for (const listener of ours) process.on('SIGINT', listener);
  });
}

/**
 * Starts `command` with `text` as its standard input. When it has ended, `end.isWhole` says whether
 * it has read all of it: reading a socket fails (ECONNRESET, on Linux) if the other side was closed
 * with something left in it. node does not read from the socket that is a child's standard input,
 * so it is another one, which the shell puts there.
 */
function startReader(command: string, text: string) {
  const isPosix = process.platform !== 'win32';
  const env = { ...PAGER_ENV, ...process.env };
  const child = isPosix
    ? spawn(`{ ${command}\n} <&3 3<&-`, { env, shell: true, stdio: ['ignore', 'inherit', 'inherit', 'pipe'] })
    : spawn(command, { env, shell: true, stdio: ['pipe', 'inherit', 'inherit'] });
  const socket = child.stdio[isPosix ? 3 : 0] as Socket;
  const end = { isWhole: true };
  socket.on('error', () => {
    end.isWhole = false;
  });
  socket.resume();
  socket.end(text);
  return { child, end };
}
