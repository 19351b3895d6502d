/**
 * Packed lists and files that are none, read by a process: test/unit/lists/forms.test.ts has every
 * form.
 */
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { measure } from '../../fixtures/cli/measure.ts';
import { startListStage } from '../../fixtures/place/list-stage.ts';
import { address } from '../../fixtures/place/wallets.ts';
import { ONE_LINE } from '../../fixtures/place/workplace.ts';
import { isSlow } from '../../fixtures/sweep.ts';

const A = address(1);
const B = address(2);
const CSV = `address,note\r\n${A},é\r\n${B},b\r\n`;

describe('gzip', () => {
  it('is read as it is, from a file and from the pipe of a shell', async () => {
    await using stage = await startListStage();
    stage.write('list.csv.gz', gzipSync(CSV));
    for (const line of ['r profile -f list.csv.gz --jsonl', 'cat list.csv.gz | r profile - --jsonl']) {
      const { stdout, stderr, exitCode } = await stage.sh(line);
      expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
      expect([...stdout.matchAll(/"wallet_address":"(0x\w+)"/g)].map(([, wallet]) => wallet)).toEqual([A, B]);
    }
    expect(stage.server.requests).toHaveLength(4);
  });

  it('that is cut short is exit 9, and nothing is sent for it', async () => {
    await using stage = await startListStage();
    const long = gzipSync(Array.from({ length: 5000 }, (_, i) => `${address(i + 1)}\n`).join(''));
    stage.write('list.gz', long.subarray(0, long.length / 2));
    const { stdout, stderr, exitCode } = await stage.cli(['profile', '-f', 'list.gz', '--csv']);
    const requests = stage.server.requests.length;
    expect({ exitCode, stdout, requests }).toEqual({ exitCode: 9, stdout: '', requests: 0 });
    expect(stderr).toMatch(ONE_LINE);
    expect(stderr).toMatch(/gzip data is truncated/);
  });

  it('fails for a decompression bomb in bounded time and memory', async () => {
    await using stage = await startListStage();
    const blocks = (text: string, count: number) => {
      const block = gzipSync(Buffer.alloc(1 << 21, text), { level: 9 });
      return Buffer.concat(Array<Buffer>(count).fill(block));
    };
    // As many blank lines as are accepted, and more.
    stage.write('blank.gz', Buffer.concat([gzipSync(`${'\n'.repeat(1_000_000)}${A}\n`), blocks('\n', 256)]));
    stage.write('line.gz', blocks('a', 128));
    const place = { cwd: stage.folder, env: stage.env };
    const dryRun = (list: string) => measure(['profile', '-f', list, '--dry-run', '--csv'], place);
    const blank = await dryRun('blank.gz');
    expect(blank.stderr).toMatch(/^riskcli: 'blank\.gz', line 2000002: more than 1000000 blank lines in a row; .+\n$/);
    // That of damaged-lists.test.ts is not packed; in test/slow this one is read, too.
    const line = isSlow ? [await dryRun('line.gz')] : [];
    for (const { exitCode, peakMb } of [blank, ...line]) {
      expect(exitCode).toBe(9);
      expect(peakMb).toBeLessThan(250);
    }
  });
});
