/** Lists in several files, and what of a JSON list comes out again: through the built binary. */
import { describe, expect, it } from 'vitest';
import { startListStage } from '../../fixtures/place/list-stage.ts';
import { address } from '../../fixtures/place/wallets.ts';
import { ONE_LINE } from '../../fixtures/place/workplace.ts';

const rowsOf = (jsonl: string) =>
  jsonl
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

describe('several -f', () => {
  it('are read as one list, in order, with the line numbers of each file', async () => {
    await using stage = await startListStage();
    stage.write('a.txt', `# first\n${address(1)}\n${address(2)}\n`);
    stage.write('b.txt', `${address(1)}\nnonsense\n`);
    const { stdout, exitCode } = await stage.cli(['profile', '-f', 'a.txt', '-f', 'b.txt', '--jsonl']);
    expect(exitCode).toBe(3);
    expect(rowsOf(stdout).map(({ _meta: { file, line, input } }) => [file, line, input])).toEqual([
      ['a.txt', 2, address(1)],
      ['a.txt', 3, address(2)],
      ['b.txt', 1, address(1)],
      ['b.txt', 2, 'nonsense'],
    ]);
    expect(stage.server.requests).toHaveLength(2);
    const csv = await stage.cli(['profile', '-f', 'a.txt', '-f', 'b.txt', '--csv']);
    expect(csv.stdout).toContain('b.txt, line 2: ');
  });

  it('keep the columns of all files; equal names share a column', async () => {
    await using stage = await startListStage();
    stage.write('a.csv', `address;note\n${address(1)};x\n`);
    stage.write('b.csv', `note,id,Address,note\ny,7,${address(2)},z\n`);
    stage.write('c.txt', `${address(3)}\n`);
    const { stdout, exitCode } = await stage.cli(['profile', '-f', 'a.csv', '-f', 'b.csv', '-f', 'c.txt', '--csv']);
    expect(exitCode).toBe(0);
    const rows = stdout.split('\n').map((line) => line.split(';').slice(0, 6));
    expect(rows.slice(0, 4)).toEqual([
      ['address', 'note', 'id', 'Address', 'note', 'wallet_address'],
      [address(1), 'x', '', '', '', address(1)],
      ['', 'y', '7', address(2), 'z', address(2)],
      ['', '', '', '', '', address(3)],
    ]);
  });

  it('are all checked before anything is sent, and an error names the file', async () => {
    await using stage = await startListStage();
    stage.write('a.txt', `${address(1)}\n`);
    stage.write('b.csv', `address,x\n${address(2)},"open\n`);
    const { stderr, exitCode } = await stage.cli(['profile', '-f', 'a.txt', '-f', 'b.csv', '--csv']);
    expect(exitCode).toBe(9);
    expect(stderr).toMatch(ONE_LINE);
    expect(stderr).toContain("'b.csv', line 2: ");
    expect(stage.server.requests).toEqual([]);
    for (const file of ['a.txt', 'b.csv']) {
      const refused = await stage.cli(['profile', '-f', 'a.txt', '-f', 'b.csv', '--csv', '-o', file]);
      expect({ file, exitCode: refused.exitCode }).toEqual({ file, exitCode: 8 });
    }
  });

  it('may be a file and standard input, once', async () => {
    await using stage = await startListStage();
    stage.write('a.txt', `${address(1)}\n`);
    const line = ['profile', '-f', 'a.txt', '-f', '-', '--jsonl'] as const;
    const { stdout, exitCode } = await stage.cli(line, { stdin: `${address(2)}\n` });
    expect(exitCode).toBe(0);
    expect(rowsOf(stdout).map(({ _meta: { file } }) => file)).toEqual(['a.txt', 'standard input']);
    const twice = await stage.cli([...line, '-f', '-'], { stdin: `${address(2)}\n` });
    expect(twice.exitCode).toBe(2);
    expect(twice.stderr).toMatch(/twice/);
  });
});

it('--accept given twice accepts both', async () => {
  await using stage = await startListStage();
  stage.write('a.txt', `${address(1)}\nnonsense\n${stage.refused}\n`);
  const { exitCode } = await stage.cli([
    'profile',
    '-f',
    'a.txt',
    '--csv',
    '--accept',
    'invalid',
    '--accept',
    'failed',
  ]);
  expect(exitCode).toBe(0);
});

describe('an element of a JSON list', () => {
  const ELEMENT =
    '{"id":9007199254740993,"big":1e400,"neg":-0,"price":1.10,"ok":true,"gone":null,"tags":["a",{"b":[]}],"2":"two",' +
    `"1":"one","address":"${address(1)}","geo":{"lat":1.50},"__proto__":{"x":1}}`;

  it('keeps types, spelling and order in _meta.input', async () => {
    await using stage = await startListStage();
    for (const [name, list] of [
      ['list.json', `[${ELEMENT}]`],
      ['list.jsonl', ELEMENT],
    ] as const) {
      stage.write(name, list);
      for (const format of ['jsonl', 'json']) {
        const { stdout, exitCode } = await stage.cli(['profile', '-f', name, '--format', format]);
        expect({ name, format, exitCode }).toEqual({ name, format, exitCode: 0 });
        expect(stdout).toContain(`"input":${ELEMENT},"status"`);
      }
    }
  });

  it('adds its scalars to csv as the first columns, named by the first element', async () => {
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
});

describe('a line of a plain list that is not a wallet', () => {
  it('keeps its text in every format', async () => {
    await using stage = await startListStage();
    stage.write('list.txt', `${address(1)}\nvitalik dot eth\n`);
    for (const format of ['csv', 'json', 'jsonl', 'table']) {
      const { stdout } = await stage.cli(['profile', '-f', 'list.txt', '--format', format]);
      expect([format, stdout].join(' ')).toMatch(/vitalik dot eth/);
    }
  });
});
