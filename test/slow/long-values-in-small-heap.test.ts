/** Values of a megabyte in a small heap: what orders, compares or dates them holds no more of them than what writes them out. */
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { bareEnv, start } from '../fixtures/cli/process.ts';
import { temporaryFolder } from '../fixtures/place/folder.ts';
import { LONG_VALUES, orderOf, SMALL_HEAP, writeLongValues } from '../fixtures/place/long-values.ts';
import { address } from '../fixtures/place/wallets.ts';

const folder = temporaryFolder();
const [many, one, keyed] = ['many.journal', 'one.journal', 'keyed.journal'].map((name) => join(folder, name)) as [
  string,
  string,
  string,
];

beforeAll(() => {
  writeLongValues(many, (i) => address(i));
  writeLongValues(one, () => address(1));
  writeLongValues(
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
  const inOrder = Array.from({ length: LONG_VALUES }, (_, i) => `${i}`);
  const byNote = [...inOrder].sort((a, b) => orderOf(Number(a)) - orderOf(Number(b)));

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
  ])('%s holds no more of values of a megabyte than a small heap has room for', async (_, args, column, expected) => {
    const { done } = start(args, { cwd: folder, env: bareEnv({ NODE_OPTIONS: SMALL_HEAP }) });
    const { stdout, stderr, exitCode } = await done;
    expect({ exitCode, stderr: stderr.slice(0, 500) }).toEqual({ exitCode: 0, stderr: '' });
    expect(scores(stdout, column)).toEqual(expected);
  });
});
