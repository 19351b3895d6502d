/**
 * How often a flag of a list may be given, and what of a list comes out again: through the built
 * binary.
 */
import { describe, expect, it } from 'vitest';
import { startListStage } from '../../fixtures/place/list-stage.ts';
import { address } from '../../fixtures/place/wallets.ts';

it('--accept given twice accepts both', async () => {
  await using stage = await startListStage();
  stage.write('a.txt', `${address(1)}\nnonsense\n${stage.refused}\n`);
  const accepted = ['--accept', 'invalid', '--accept', 'failed'];
  expect((await stage.cli(['profile', '-f', 'a.txt', '--csv', ...accepted])).exitCode).toBe(0);
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
