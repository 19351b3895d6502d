import { expect, it } from 'vitest';
import { parseDocument } from '../../../src/document/parse.ts';
import { inputText } from '../../../src/row/row.ts';

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
