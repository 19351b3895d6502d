/**
 * A list of a million wallets against a sandbox without limits: every row, in order, in less than
 * 512 MB.
 */
import { closeSync, createReadStream, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, it } from 'vitest';
import { measure, startSandboxProcess } from '../fixtures/cli/measure.ts';
import { temporaryFolder } from '../fixtures/place/folder.ts';
import { address } from '../fixtures/place/wallets.ts';

const WALLETS = 1_000_000;
/** The last rows repeat the first wallets: their answers are a million back. */
const ROWS = WALLETS + 100_000;
const MAX_MB = 512;

it('scores a million wallets in order, 1,000 in flight, in little memory', async () => {
  const folder = temporaryFolder();
  writeList(join(folder, 'list.txt'));
  await using sandbox = await startSandboxProcess(['--plan', 'enterprise', '--latency', '0']);
  const args = ['profile', '-f', 'list.txt', '-o', 'scored.csv', '--concurrency', '1000'];
  const { exitCode, stderr, seconds, peakMb } = await measure(args, { cwd: folder, env: sandbox.env });
  console.log(`${seconds.toFixed(0)} s, peak ${peakMb.toFixed(0)} MB`);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  expect(await rowsInOrder(join(folder, 'scored.csv'))).toBe(ROWS);
  expect(peakMb).toBeGreaterThan(0);
  expect(peakMb).toBeLessThan(MAX_MB);
});

function writeList(path: string): void {
  const fd = openSync(path, 'w');
  for (let from = 0; from < ROWS; from += 1000) {
    const wallets = Array.from({ length: 1000 }, (_, i) => address((from + i) % WALLETS));
    writeSync(fd, `${wallets.join('\n')}\n`);
  }
  closeSync(fd);
}

/** How many rows there are, each of which has to be about its wallet. */
async function rowsInOrder(path: string): Promise<number> {
  let row = -1;
  for await (const line of createInterface({ input: createReadStream(path) })) {
    if (row >= 0 && !line.includes(address(row % WALLETS))) throw new Error(`row ${row + 1} is ${line}`);
    row += 1;
  }
  return row;
}
