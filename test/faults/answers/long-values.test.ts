/** Values of a megabyte in a small heap: what orders, compares or dates them holds no more of them than what writes them out. */
import { openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { encodeRecord } from '../../../src/journal/record.ts';
import { temporaryFolder } from '../../helpers/place/folder.ts';
import { address } from '../../helpers/place/wallets.ts';
import { bareEnv, start } from '../../helpers/process/binary.ts';

const COUNT = 60;
/** Less than half of the values, in MB; node alone takes five. */
const HEAP = '--max-old-space-size=24';
const FILLING = 'y'.repeat(1_000_000);

const folder = temporaryFolder();
const [many, one, keyed] = ['many.journal', 'one.journal', 'keyed.journal'].map((name) => join(folder, name)) as [
  string,
  string,
  string,
];

function writeJournal(path: string, walletOf: (i: number) => string, keyOf = (_: number) => 'note'): void {
  const fd = openSync(path, 'w', 0o600);
  writeSync(fd, '{"riskcli_journal":1,"base_url":"https://api.example.com"}\n');
  for (let i = 0; i < COUNT; i++) {
    const note = `${(i * 37) % COUNT}`.padStart(3, '0') + FILLING;
    const score = `{"defi_score":${i}}`;
    const text = `{"wallet_address":"${walletOf(i)}","total_collateral_usd":1,"defi_score":${score},"${keyOf(i)}":"${note}"}`;
    writeSync(fd, encodeRecord(walletOf(i), { answeredAt: 1_700_000_000_000 + i, text }));
  }
}

beforeAll(() => {
  writeJournal(many, (i) => address(i));
  writeJournal(one, () => address(1));
  writeJournal(
    keyed,
    (i) => address(i),
    (i) => `note-of-wallet-${i}`,
  );
});

describe.concurrent('[87] 60 values of 1 MB in a heap of 24 MB', () => {
  const scores = (stdout: string, column: number) =>
    stdout
      .split('\n')
      .slice(1, -1)
      .map((row) => row.split(',')[column]);
  const inOrder = Array.from({ length: COUNT }, (_, i) => `${i}`);
  const byNote = [...inOrder].sort((a, b) => ((Number(a) * 37) % COUNT) - ((Number(b) * 37) % COUNT));

  it.each([
    ['--sort by the values', ['journal', 'export', '--journal', many, '--csv', '--sort', 'note'], 3, byNote],
    ['--where that no value meets', ['journal', 'export', '--journal', many, '--csv', '--where', 'note == zzz'], 3, []],
    [
      '--fail-if that no value meets',
      ['journal', 'export', '--journal', many, '--csv', '--fail-if', 'note == zzz'],
      3,
      inOrder,
    ],
    [
      "--fields '*' of answers with keys of their own",
      ['journal', 'export', '--journal', keyed, '--fields', '*', '-o', join(folder, 'all.csv')],
      0,
      [],
    ],
    ['journal history', ['journal', 'history', '--journal', one, address(1), '--csv'], 2, inOrder],
    ['diff', ['diff', many, many, '--all', '--csv'], 5, inOrder],
  ])('%s', async (_, args, column, expected) => {
    const { done } = start(args, { cwd: folder, env: bareEnv({ NODE_OPTIONS: HEAP }) });
    const { stdout, stderr, exitCode } = await done;
    expect({ exitCode, stderr: stderr.slice(0, 500) }).toEqual({ exitCode: 0, stderr: '' });
    expect(scores(stdout, column)).toEqual(expected);
  });
});
