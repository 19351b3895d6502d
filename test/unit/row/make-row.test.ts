import { describe, expect, it } from 'vitest';
import { parseDocument } from '../../../src/document/parse.ts';
import { writeCompact } from '../../../src/document/write.ts';
import { readBackRow } from '../../../src/row/make-row.ts';
import { inputText } from '../../../src/row/row.ts';
import { wallet } from '../../fixtures/place/wallets.ts';
import { document } from '../output/rows.ts';

const NODE = document('{"a":1,"_meta":{"status":"x","input":{"n":"7"},"error":{"code":"refused","message":"no"}}}');

describe('a row that is read back', () => {
  it.each([
    ['scored', '{"a":1}'],
    ['no_score', '{"a":1}'],
    [undefined, '{"a":1}'],
    ['failed', undefined],
    ['invalid', undefined],
    ['pending', undefined],
  ] as const)('with the status %s has of its columns the answer %s', (status, answer) => {
    const row = readBackRow({ line: 3, wallet: wallet(1), status, score: undefined }, NODE);
    expect(row.document && writeCompact(row.document)).toBe(answer);
    expect(row).toMatchObject({ line: 3, wallet: wallet(1).address, status: status ?? 'scored' });
    expect(inputText(row.input)).toBe('{"n":"7"}');
  });

  it('has the whole answer if there is one, and the error with its code', () => {
    const whole = document('{"b":2}');
    expect(readBackRow({ line: 1, status: 'failed', document: whole, error: 'no' }, NODE)).toMatchObject({
      document: whole,
      error: { code: 'refused', message: 'no' },
    });
    const bare = readBackRow({ line: 1, wallet: wallet(1), error: 'no' }, document('{}'));
    expect(bare).toMatchObject({ input: wallet(1).address, error: { code: 'unknown', message: 'no' } });
    expect(readBackRow({ line: 1 }, document('{}'))).toMatchObject({ input: '', error: undefined });
  });
});

it('an input as the text of a cell is its text, its cells, or the JSON that it was', () => {
  expect(inputText('0xAb')).toBe('0xAb');
  expect(
    inputText([
      ['name', 'x'],
      ['wallet', '0xAb'],
    ]),
  ).toBe('x 0xAb');
  expect(['{"a":[1]}', '5', 'null', '""', '{}'].map((text) => inputText(parseDocument(text)))).toEqual([
    '{"a":[1]}',
    '5',
    '',
    '',
    '',
  ]);
});
