/** Values of a megabyte in a small heap: what orders them holds no more of them than what writes them out. test/slow has what compares or dates them. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { bareEnv, start } from '../../fixtures/cli/process.ts';
import { temporaryFolder } from '../../fixtures/place/folder.ts';
import { LONG_VALUES, orderOf, SMALL_HEAP, writeLongValues } from '../../fixtures/place/long-values.ts';
import { address } from '../../fixtures/place/wallets.ts';

it('[87] 60 values of 1 MB are sorted in a heap of 24 MB', async () => {
  const folder = temporaryFolder();
  const journal = join(folder, 'journal');
  writeLongValues(journal, address);
  const args = ['journal', 'export', '--journal', journal, '--csv', '--sort', 'note'];
  const { done } = start(args, { cwd: folder, env: bareEnv({ NODE_OPTIONS: SMALL_HEAP }) });
  const { stdout, stderr, exitCode } = await done;
  expect({ exitCode, stderr: stderr.slice(0, 500) }).toEqual({ exitCode: 0, stderr: '' });
  const rows = stdout.split('\n').slice(1, -1);
  const sorted = Array.from({ length: LONG_VALUES }, (_, i) => i).sort((a, b) => orderOf(a) - orderOf(b));
  expect(rows.map((row) => row.split(',')[3])).toEqual(sorted.map(String));
});
