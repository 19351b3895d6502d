import { expect, it } from 'vitest';
import { neutralise, unneutralise } from '../../../src/text/formula.ts';
import { fc } from '../../fixtures/properties.ts';

it.each([
  ['=1', "'=1"],
  ["'=1", "''=1"],
  ["'+x", "''+x"],
  ["''@x", "'''@x"],
  [' -x', "' -x"],
  ["' -x", "'' -x"],
  ['-5', '-5'],
  ["'-5", "''-5"],
  ['\t::x', "'\t::x"],
  ['a\n ::x', "a\n' ::x"],
  ["a\n'::x", "a\n''::x"],
  ["it's", "it's"],
  ["'quoted'", "'quoted'"],
])('writes the text %j as the cell %j, and reads it back', (text, cell) => {
  expect(neutralise(text)).toBe(cell);
  expect(unneutralise(cell)).toBe(text);
});

it.each(['=x', '+x', '-x', '@x', '\tx', '\rx', ' =x', '\n=x', '\u00a0@x', '\u0000=x', '\ufeff=x', '＝x', '- 5'])(
  'neutralises %j, also behind an apostrophe',
  (text) => {
    expect([neutralise(text), neutralise(`'${text}`)]).toEqual([`'${text}`, `''${text}`]);
  },
);

it.each(['', 'x', 'a=b', '+1.5', '-1e9', '\nx', ' x', "'x", '0xabc'])(
  'leaves the harmless text %j unchanged',
  (text) => {
    expect(neutralise(text)).toBe(text);
  },
);

it('reads back any neutralised text', () => {
  const pieces = ["'", '=', '+', '-', '::', ' ', '\t', '\n', '\r\n', '\u2028', '\u00a0', '1', 'x', '＝'];
  const texts = fc.string({ unit: fc.constantFrom(...pieces), maxLength: 8 });
  fc.assert(
    fc.property(texts, (text) => {
      expect(unneutralise(neutralise(text))).toBe(text);
      expect(neutralise(text)).not.toMatch(/^[^\S\r\n\u2028\u2029]*::/m);
    }),
  );
});

it.each(["'-5", 'a\n::x', "''"])('leaves the cell %j of another program unchanged', (cell) => {
  expect(unneutralise(cell)).toBe(cell);
});
