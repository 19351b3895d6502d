/**
 * What goes through a pager, and through which; test/process/terminal/pager.test.ts has real ones.
 */
import { expect, it } from 'vitest';
import { cli, type RunOptions } from '../../fixtures/cli/here.ts';
import { startService } from '../../fixtures/service/sandbox.ts';

const WALLET = '0x8ba1f109551bD432803012645Ac136ddd64DBA72';

/** What `riskcli profile` shows on a terminal of so many rows, and what it gave to which pager. */
async function shown(args: readonly string[], { env, ...options }: RunOptions) {
  const service = await startService();
  const pages: { readonly command: string; readonly text: string }[] = [];
  const page = async (text: string, command: string) => pages.push({ command, text }) > 0;
  const ended = await cli(['profile', ...args], {
    tty: { stdout: true, stdin: true },
    columns: 80,
    page,
    ...options,
    env: { ...service.env, NO_COLOR: '1', TERM: 'xterm', ...env },
  });
  return { ...ended, pages };
}

it.each([
  ['PAGER', { PAGER: 'nl -ba' }, 'nl -ba'],
  ['less', {}, 'less -FRX'],
])('gives a card that is longer than the screen to %s, whole', async (_, env, command) => {
  const { stdout, exitCode, pages } = await shown([WALLET], { env, rows: 20 });
  expect({ exitCode, stdout, pages: pages.length }).toEqual({ exitCode: 0, stdout: '', pages: 1 });
  expect(pages[0]).toEqual({ command, text: expect.stringContaining(`Wallet      ${WALLET}`) });
  expect(pages[0]?.text.split('\n').length).toBeGreaterThan(40);
});

it.each<[string, readonly string[], RunOptions]>([
  ['fits', [], { rows: 500 }],
  ['must not wait for anybody', ['--no-input'], {}],
  ['has no pager', [], { env: { PAGER: 'cat' } }],
  ['has an empty pager', [], { env: { PAGER: '' } }],
  ['goes elsewhere', [], { tty: { stdin: true } }],
])('shows a card that %s as it is', async (_, args, options) => {
  const { stdout, exitCode, pages } = await shown([WALLET, ...args], { rows: 20, ...options });
  expect({ exitCode, pages }).toEqual({ exitCode: 0, pages: [] });
  expect(stdout).toContain(WALLET.toLowerCase().slice(0, 6));
});

it('pages the long help, and never the short one of -h', async () => {
  const env = { PAGER: 'nl' };
  const screen = await shown(['-h'], { env, rows: 30 });
  expect(screen).toMatchObject({ pages: [], stdout: expect.stringContaining('All options: ') });
  const help = await shown(['--help'], { env, rows: 20 });
  expect(help.pages).toMatchObject([{ text: expect.stringContaining('Usage: riskcli profile') }]);
});
