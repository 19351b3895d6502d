/** Lists in forms that people export without thinking of who reads them: read, or named with the way out. */
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
  it.each<[string, Buffer]>([
    ['a CSV', gzipSync(CSV)],
    ['UTF-16', gzipSync(Buffer.from(`\ufeff${CSV}`, 'utf16le'))],
    ['two members', Buffer.concat([gzipSync(`${A}\n`), gzipSync(`${B}\n`)])],
    ['JSON', gzipSync(JSON.stringify([A, B]))],
  ])('[78] is read as it is, from a file and from a pipe: %s', async (_, content) => {
    await using stage = await startListStage();
    stage.write('list.csv.gz', content);
    for (const run of [
      await stage.cli(['profile', '-f', 'list.csv.gz', '--jsonl']),
      await stage.cli(['profile', '-', '--jsonl'], { stdin: content }),
    ]) {
      const { stdout, stderr, exitCode } = run;
      expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
      expect([...stdout.matchAll(/"wallet_address":"(0x\w+)"/g)].map(([, wallet]) => wallet)).toEqual([A, B]);
    }
    expect(stage.server.requests).toHaveLength(4);
  });

  it('[78] is read from the pipe of a shell', async () => {
    await using stage = await startListStage();
    stage.write('list.csv.gz', gzipSync(CSV));
    const { stdout, stderr, exitCode } = await stage.sh('cat list.csv.gz | r profile - --jsonl');
    expect({ exitCode, stderr, rows: stdout.match(/scored/g)?.length }).toEqual({ exitCode: 0, stderr: '', rows: 2 });
  });

  const long = gzipSync(Array.from({ length: 5000 }, (_, i) => `${address(i + 1)}\n`).join(''));
  const damaged = Buffer.from(long);
  damaged.fill(0xff, long.length / 2, long.length / 2 + 64);

  it.each<[string, Buffer, RegExp]>([
    ['cut short', long.subarray(0, long.length / 2), /gzip data is truncated/],
    ['damaged', damaged, /gzip data is damaged/],
    ['cut in its head', long.subarray(0, 6), /gzip data is truncated/],
    ['gzip again', gzipSync(long), /gzip inside gzip/],
    ['a workbook', gzipSync(Buffer.from('PK\u0003\u0004..[Content_Types].xml')), /Excel workbook/],
  ])('[78] %s is exit 9, and nothing is sent for it', async (_, content, message) => {
    await using stage = await startListStage();
    stage.write('list.gz', content);
    const { stdout, stderr, exitCode } = await stage.cli(['profile', '-f', 'list.gz', '--csv']);
    expect({ exitCode, stdout, requests: stage.server.requests.length }).toEqual({
      exitCode: 9,
      stdout: '',
      requests: 0,
    });
    expect(stderr).toMatch(ONE_LINE);
    expect(stderr).toMatch(message);
  });

  it('[78] fails for a decompression bomb in bounded time and memory', async () => {
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

describe('what holds no text', () => {
  const latin = Buffer.from(`address,name\n${A},M\u00fcller\n`, 'latin1');

  it.each<[string, Buffer | string, RegExp, RegExp]>([
    ['xlsx', 'PK\u0003\u0004\u0014\u0000\u0006\u0000[Content_Types].xml', /Excel workbook \(\.xlsx\)/, /CSV UTF-8/],
    ['Windows-1252', latin, /line 2: .*Windows-1252/, /iconv -f WINDOWS-1252/],
  ])('[78] is named: %s', async (_, content, message, hint) => {
    await using stage = await startListStage();
    stage.write('list', content);
    for (const run of [
      await stage.cli(['profile', '-f', 'list', '--csv']),
      await stage.cli(['profile', '-', '--csv', '--dry-run'], { stdin: Buffer.from(content) }),
    ]) {
      const { stdout, stderr, exitCode } = run;
      expect({ exitCode, stdout }).toEqual({ exitCode: 9, stdout: '' });
      expect(stderr).toMatch(ONE_LINE);
      expect(stderr).toMatch(message);
      expect(stderr).toMatch(hint);
    }
    expect(stage.server.requests).toEqual([]);
  });
});

describe('lines above a table, and blanks between its cells', () => {
  it.each<[string, string, string, readonly string[]]>([
    ['sep=', `sep=;\r\nAddress;n\r\n${A};1\r\n${B};2\r\n`, 'Address;n;wallet_address', [`${A};1;${A}`, `${B};2;${B}`]],
    [
      'a title',
      `Holders of X\n\nid,Address\n1,${A}\n2,${B}\n`,
      'id,Address,wallet_address',
      [`1,${A},${A}`, `2,${B},${B}`],
    ],
  ])('[78] %s', async (_, content, header, rows) => {
    await using stage = await startListStage();
    stage.write('list.csv', content);
    for (const run of [
      await stage.cli(['profile', '-f', 'list.csv', '--csv']),
      await stage.cli(['profile', '-', '--csv'], { stdin: content }),
    ]) {
      const { stdout, stderr, exitCode } = run;
      expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
      const lines = stdout.split('\n');
      expect(lines[0]).toMatch(header);
      for (const row of rows) expect(stdout).toContain(`\n${row}`);
    }
  });
});
