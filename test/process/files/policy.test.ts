/** `riskcli policy excuse` as processes: several at once, and on a full disk. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { cliIn } from '../../fixtures/cli/cli.ts';
import { start } from '../../fixtures/cli/process.ts';
import { smallDisk } from '../../fixtures/place/small-disk.ts';
import { address, addresses } from '../../fixtures/place/wallets.ts';
import { ONE_LINE, workplace } from '../../fixtures/place/workplace.ts';

const RULES = [{ name: 'low', if: 'score < 400', note: 'x'.repeat(40_000) }];
const TEXT = JSON.stringify({ rules: RULES });
const excuse = (file: string, wallet: string) => [
  'policy',
  'excuse',
  file,
  wallet,
  '--rule',
  'low',
  '--reason',
  'known',
];

it('keeps the exceptions of all edits that run at the same time', async () => {
  const { write, read, env } = workplace();
  const file = write('policy.json', TEXT);
  const wallets = addresses(4, 1);
  const ends = await Promise.all(wallets.map((wallet) => start(excuse(file, wallet), { env }).done));
  expect(ends.map(({ exitCode, stderr }) => [exitCode, stderr])).toEqual(wallets.map(() => [0, '']));
  const { rules, exceptions } = JSON.parse(read('policy.json'));
  expect(rules).toEqual(RULES);
  expect(exceptions.map(({ wallet }: { readonly wallet: string }) => wallet).sort()).toEqual(wallets);
});

it('keeps the policy as it is on a full disk, and exits with 8', async (test) => {
  const { env } = workplace();
  const { folder } = smallDisk(64, test);
  const file = join(folder, 'policy.json');
  writeFileSync(file, TEXT);
  const { exitCode, stderr } = await cliIn({ folder, env })(excuse(file, address(1)));
  expect([exitCode, stderr]).toEqual([8, expect.stringMatching(ONE_LINE)]);
  expect(stderr).toContain('no space left on the device');
  expect([readFileSync(file, 'utf8'), readdirSync(folder)]).toEqual([TEXT, ['policy.json']]);
});
