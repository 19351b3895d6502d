/**
 * The pictures of the README are made of real runs: `npm run pictures` makes them anew. Those of a
 * terminal are text, and must be what it shows today; that of a page depends on the fonts of the
 * machine, and is only made there.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { profileOf } from '../../../src/sandbox/profile.ts';
import { cli } from '../../fixtures/cli/here.ts';
import { temporaryFolder } from '../../fixtures/place/folder.ts';
import { hasChromium, openBrowser, openFile } from '../../fixtures/process/browser.ts';
import { terminalPicture } from '../../fixtures/process/terminal-picture.ts';
import { startService } from '../../fixtures/service/sandbox.ts';

const folder = fileURLToPath(new URL('../../../.github/pictures', import.meta.url));
const isMaking = process.env.RISKCLI_PICTURES === '1';
const WALLET = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';
const walletOf = (i: number) => `0x${((i * 2_654_435_761) % 2 ** 32).toString(16).padStart(8, '0')}${'5a'.repeat(16)}`;

async function onTerminal(columns: number, ...args: string[]): Promise<string> {
  const { env } = await startService();
  const { stdout } = await cli(args, { env: { ...env, TERM: 'xterm' }, tty: { stdout: true }, columns });
  return stdout;
}

async function check(name: string, picture: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  await expect(picture).toMatchFileSnapshot(join(folder, name));
}

it('draws the card of a wallet as the picture of the README has it', async () => {
  const card = await onTerminal(96, 'profile', WALLET);
  // The rest below the components is similar.
  const top = `${card.slice(0, card.indexOf('\u001b[1mdefi_score.factors'))}…`;
  await check('card.svg', terminalPicture(`riskcli profile ${WALLET}`, top, 96));
});

it('draws the rows of a list as the picture of the README has it', async () => {
  const list = join(temporaryFolder(), 'holders.csv');
  const rows = Array.from({ length: 8 }, (_, i) => `${i + 1},${i === 5 ? 'vitalik.eth' : walletOf(i + 21)}`);
  writeFileSync(list, `id,holder\n${rows.join('\n')}\n`);
  const table = await onTerminal(96, 'profile', '-f', list);
  await check('list.svg', terminalPicture('riskcli profile -f holders.csv', table, 96));
});

it.skipIf(!isMaking || !hasChromium)('makes the picture of a page', async () => {
  const [file, page] = ['scored.jsonl', 'report.html'].map((name) => join(temporaryFolder(), name)) as [string, string];
  writeFileSync(file, Array.from({ length: 1_200 }, (_, i) => rowOf(i + 1)).join(''));
  await cli(['report', file, '-o', page]);
  const browser = await openBrowser();
  try {
    const { page: shown } = await openFile(browser, page, { viewport: { width: 1_120, height: 1_220 } });
    await shown.screenshot({ path: join(folder, 'report.png') });
  } finally {
    await browser.close();
  }
});

function rowOf(i: number): string {
  const document = profileOf(walletOf(i));
  const score = /"defi_score":\{"defi_score":(\d+)/.exec(document)?.[1];
  const matched = Number(score) < 450 ? '"very low"' : '';
  const meta = `{"line":${i},"input":{"customer":"Customer ${i}"},"status":"${score ? 'scored' : 'no_score'}","score":${score ?? null},"answered_at":"2026-11-16T03:04:05.000Z","matched":[${matched}]}`;
  return `${document.slice(0, -1)},"_meta":${meta}}\n`;
}
