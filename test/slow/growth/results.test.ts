/**
 * Outputs that grow, in every direction that somebody who writes one can choose: diff takes time in
 * proportion.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { cli } from '../../fixtures/cli/here.ts';
import { temporaryFolder } from '../../fixtures/place/folder.ts';
import { address } from '../../fixtures/place/wallets.ts';
import { growth, TOO_MUCH } from './cost.ts';

const WALLET = address(1);
const times = (count: number, item: (i: number) => string) => Array.from({ length: count }, (_, i) => item(i));
const row = (members: string) =>
  `{"wallet_address":"${WALLET}","v":1${members},"_meta":{"status":"scored","score":1}}\n`;

/** Files of about `size` characters. */
const FILES: Readonly<Record<string, (size: number) => string>> = {
  rows: (size) => times(size / 90, (i) => row('').replace(WALLET, address(i))).join(''),
  'one wallet again and again': (size) =>
    times(size / 90, (i) => row('').replace('"score":1', `"score":${i}`)).join(''),
  members: (size) => row(times(size / 12, (i) => `,"k${i}":${i}`).join('')),
  'one member again and again': (size) => row(',"v":1'.repeat(size / 6)),
  digits: (size) => row('').replace('"v":1', `"v":1${'0'.repeat(size)}`),
  'names that are paths': (size) =>
    `{"wallet_address":"${WALLET}","v":1${times(size / 16, (i) => `,"a.b[${i}].c":1`).join('')}}`,
  'arrays of which only the last item has a name': (size) =>
    `{"wallet_address":"${WALLET}","v":1${times(size / 16, (i) => `,"a${i}[9999]":1`).join('')}}`,
  'a path without an end': (size) => `{"wallet_address":"${WALLET}","v":1,"a${'.a'.repeat(size / 2)}":1}`,
  'a taken name': (size) => `{"wallet_address":"${WALLET}","v":1,"${'riskcli.'.repeat(size / 8)}a":1}`,
  'columns of csv': (size) => {
    const columns = times(size / 10, (i) => `c${i}`);
    return `wallet_address,v,${columns}\n${WALLET},1,${columns}\n`;
  },
  'columns that have one name': (size) =>
    `wallet_address,v${',status'.repeat(size / 10)}\n${WALLET},1${',b'.repeat(size / 10)}\n`,
  'a quote without an end': (size) => `wallet_address,v\n${WALLET},"${'a,\n'.repeat(size / 3)}`,
  'blank lines': (size) => '\n'.repeat(size),
  'an indented document': (size) => `{\n"wallet_address":"${WALLET}","v":[\n${'1,\n'.repeat(size / 3)}1]}`,
};

it.each(Object.entries(FILES))(
  'takes at most 2.5 times the CPU for a diff of twice the output: %s',
  async (_, make) => {
    const folder = temporaryFolder();
    const [older, newer] = [join(folder, 'old'), join(folder, 'new')];
    writeFileSync(older, `wallet_address,v,status,score,total_collateral_usd\n${WALLET},2,,,\n`);
    const work = async (size: number) => {
      writeFileSync(newer, make(Math.floor(size)));
      const { exitCode } = await cli(['diff', older, newer, '--json', '--fields', '+v?']);
      expect([0, 9]).toContain(exitCode);
    };
    expect(await growth(work, 200_000)).toBeLessThanOrEqual(TOO_MUCH);
  },
);
