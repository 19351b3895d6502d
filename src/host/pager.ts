/** A program that shows a long text on the terminal, page by page. */

/** What a shell says of a command that it cannot find, or may not run. */
const CANNOT_RUN = [126, 127];

/** As `page` of the host. Ctrl-C is the pager's meanwhile: it ends a search there, and must not end this process. */
export function page(text: string, command: string): Promise<boolean> {
  const { spawn } = process.getBuiltinModule('node:child_process');
  const child = spawn(command, { shell: true, stdio: ['pipe', 'inherit', 'inherit'] });
  const ours = process.rawListeners('SIGINT') as (() => void)[];
  const ignore = () => {};
  process.removeAllListeners('SIGINT').on('SIGINT', ignore);
  return new Promise<boolean>((resolve) => {
    // Who has seen enough does not read on.
    child.stdin.on('error', () => {}).end(text);
    child.on('error', () => resolve(false));
    child.on('close', (exitCode) => resolve(!CANNOT_RUN.includes(exitCode ?? 0)));
  }).finally(() => {
    process.off('SIGINT', ignore);
    for (const listener of ours) process.on('SIGINT', listener);
  });
}
