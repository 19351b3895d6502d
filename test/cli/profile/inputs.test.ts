/**
 * Which files are no lists, flags that are given twice, and the columns of a JSON list.
 */
import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { startListStage } from '../../fixtures/place/list-stage.ts';
import { address } from '../../fixtures/place/wallets.ts';
import { textRow, workbook } from '../../fixtures/place/workbooks.ts';

it('accepts both values of --accept given twice', async () => {
  await using stage = await startListStage();
  stage.write('a.txt', `${address(1)}\nnonsense\n${stage.refused}\n`);
  const accepted = ['--accept', 'invalid', '--accept', 'failed'];
  expect((await stage.cli(['profile', '-f', 'a.txt', '--csv', ...accepted])).exitCode).toBe(0);
});

const HTML = '<!DOCTYPE html>\n<html><head><title>Sign in</title></head></html>\n';
const S3 = '<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>AccessDenied</Code></Error>\n';
const LFS = 'version https://git-lfs.github.com/spec/v1\noid sha256:4d7a2146\nsize 12345\n';
const cover = { name: 'Cover', rows: textRow(1, ['Holders of the fund']) + textRow(2, ['Do not forward']) };
const holders = { name: 'Holders', rows: textRow(1, [address(1)]) };

it.each<[what: string, name: string, content: string | Promise<Buffer>, args: string[], message: RegExp]>([
  ['a web page', 'list.csv', HTML, [], /it is a web page, not a list; .*sign-in/],
  [
    'a web page with addresses',
    'list.xls',
    `<table><td>${address(1)}</td>\n</table>`,
    [],
    /it is a web page, not a list; /,
  ],
  ['the error of S3', 'list.csv', S3, [], /it is XML, not a list; /],
  ['a git-lfs pointer', 'list.csv', LFS, [], /it is a git-lfs pointer, not a list; fetch the list: git lfs pull/],
  ["Excel's lock file", '~$list.xlsx', '\u0003ann', [], /only says that Excel has the workbook open; .*'list\.xlsx'/],
  [
    'a cover sheet',
    'list.xlsx',
    workbook({ sheets: [cover, holders] }),
    [],
    /'Cover' has no wallet .*; name another sheet with --sheet: 'Holders'/,
  ],
  ['words', 'list.txt', 'ann\nbob\n', [], /has no wallet \(rows 2; line 1: 'ann': it does not begin with 0x\)/],
  ['a key', 'list.txt', `0x${'ab'.repeat(32)}\n`, [], /rows 1; line 1: '<withheld[^']*': it may be a private key/],
  ['a column that is named', 'list.csv', `name,wallet\nann,${address(1)}\n`, ['--column', 'name'], /line 2: 'ann 0x/],
  ['texts in JSON', 'list.json', '["ann","bob"]', [], /rows 2; line 1: 'ann'/],
])(
  'refuses a file without a wallet before anything is sent, and says what it is: %s',
  async (_, name, content, args, message) => {
    await using stage = await startListStage();
    stage.write(name, await content);
    stage.write('old.csv', 'old');
    for (const command of [
      ['profile', '-f', name, '-o', 'old.csv', ...args],
      ['profile', '-f', name, '--dry-run', ...args],
      ['review', name, ...args],
    ]) {
      expect(await stage.cli(command)).toMatchObject({
        exitCode: 9,
        stdout: '',
        stderr: expect.stringMatching(message),
      });
    }
    expect(stage.read('old.csv')).toBe('old');
    expect(stage.server.requests).toHaveLength(0);
    expect(existsSync(stage.path(`${name}.reviews`))).toBe(false);
  },
);

const ELEMENT =
  '{"id":9007199254740993,"big":1e400,"neg":-0,"price":1.10,"ok":true,"gone":null,"tags":["a",{"b":[]}],"2":"two",' +
  `"1":"one","address":"${address(1)}","geo":{"lat":1.50},"__proto__":{"x":1}}`;

it('adds the scalars of JSON elements to csv as the first columns, named by the first element', async () => {
  await using stage = await startListStage();
  stage.write(
    'list.json',
    `[${ELEMENT},{"address":"${address(2)}","id":2,"more":"x","gone":{"a":1},"price":null},{"address":"none"},"${address(3)}"]`,
  );
  const { stdout, exitCode } = await stage.cli(['profile', '-f', 'list.json', '--csv']);
  expect(exitCode).toBe(3);
  const rows = stdout.split('\n');
  expect(rows[0]).toMatch(/^id,big,neg,price,ok,gone,2,1,address,wallet_address,status,/);
  expect(rows[1]).toMatch(`9007199254740993,1e400,-0,1.10,true,,two,one,${address(1)},${address(1)},scored,`);
  expect(rows[2]).toMatch(`2,,,,,"{""a"":1}",,,${address(2)},${address(2)},scored,`);
  expect(rows[3]).toMatch(/^,,,,,,,,none,,invalid,/);
  expect(rows[4]).toMatch(`,,,,,,,,,${address(3)},scored,`);
});
