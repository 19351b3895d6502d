/** Lists that cannot be read, from files and pipes, in bounded time and memory. */
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { measure } from '../../fixtures/cli/measure.ts';
import { BINARY } from '../../fixtures/cli/process.ts';
import { startListStage } from '../../fixtures/place/list-stage.ts';
import { address } from '../../fixtures/place/wallets.ts';
import { ONE_LINE } from '../../fixtures/place/workplace.ts';
import { isSlow } from '../../fixtures/sweep.ts';

it('reads a gzip list from a file and from the pipe of a shell', async () => {
  await using stage = await startListStage();
  stage.write('list.csv.gz', gzipSync(`address,note\r\n${address(1)},é\r\n${address(2)},b\r\n`));
  for (const line of ['r profile -f list.csv.gz --jsonl', 'cat list.csv.gz | r profile - --jsonl']) {
    const { stdout, stderr, exitCode } = await stage.sh(line);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect([...stdout.matchAll(/"wallet_address":"(0x\w+)"/g)].map(([, wallet]) => wallet)).toEqual([
      address(1),
      address(2),
    ]);
  }
});

it('exits with 9 in bounded memory for an endless line', async () => {
  await using stage = await startListStage();
  stage.write(
    'memory.cjs',
    `process.on('exit', () => require('fs').writeFileSync('memory', String(process.resourceUsage().maxRSS)))`,
  );
  const node = `'${process.execPath}' --require ./memory.cjs '${BINARY}'`;
  const lines = [
    `tr '\\0' a < /dev/zero | ${node} profile - --csv`,
    `(echo a,b; echo -n '"'; tr '\\0' 1 < /dev/zero) | ${node} profile - --csv --column a`,
    `${node} profile -f /dev/zero --csv`,
  ];
  for (const line of isSlow ? lines : lines.slice(0, 2)) {
    const { stdout, stderr, exitCode } = await stage.sh(line);
    expect({ line, exitCode, stdout }).toEqual({ line, exitCode: 9, stdout: '' });
    expect(stderr).toMatch(ONE_LINE);
    expect(Number(stage.read('memory'))).toBeLessThan(300_000);
  }
  expect(stage.server.requests).toEqual([]);
});

it('exits with 9 in bounded time and memory for a decompression bomb', async () => {
  await using stage = await startListStage();
  const blanks = gzipSync(Buffer.alloc(1 << 21, '\n'), { level: 9 });
  // As many blank lines as are accepted, a wallet, and more blank lines.
  const first = gzipSync(`${'\n'.repeat(1_000_000)}${address(1)}\n`);
  stage.write('blank.gz', Buffer.concat([first, ...Array<Buffer>(256).fill(blanks)]));
  const args = ['profile', '-f', 'blank.gz', '--dry-run', '--csv'];
  const { stderr, exitCode, peakMb } = await measure(args, { cwd: stage.folder, env: stage.env });
  expect(stderr).toMatch(/^riskcli: 'blank\.gz', line 2000002: more than 1000000 blank lines in a row; .+\n$/);
  expect(exitCode).toBe(9);
  expect(peakMb).toBeLessThan(250);
});

it('rejects a wallet of 2 MB offline, and cuts it where it is shown', async () => {
  await using stage = await startListStage();
  stage.write('list.txt', `${address(1)}\n0x${'a'.repeat(2_000_000)}\n`);
  const { stdout, exitCode } = await stage.cli(['profile', '-f', 'list.txt', '--csv']);
  expect({ exitCode, requests: stage.server.requests.length }).toEqual({ exitCode: 3, requests: 1 });
  expect(stdout).toMatch(/,invalid,/);
  expect(stdout.length).toBeLessThan(1000);
});
