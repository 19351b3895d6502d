import { expect, it } from 'vitest';
import { terminalColumns } from '../../../src/text/columns.ts';
import { displayWidth, padEnd, padStart, truncate, truncateMiddle, wrap, wrapWords } from '../../../src/text/width.ts';
import { fc } from '../../fixtures/properties.ts';

/** Characters of no, one and two columns. */
const text = fc.string({
  unit: fc.constantFrom('a', 'b', ' ', 'é', 'e\u0301', '日', '🦊', '🚀', '한', '█', '🇩🇪', '👍🏽', '\u1112\u1161\u11ab'),
  maxLength: 40,
});
const width = fc.integer({ min: 2, max: 30 });

it('counts the columns that terminals draw for a text', () => {
  expect(['abc', 'é', 'e\u0301', '日本', '🦊', ''].map(displayWidth)).toEqual([3, 1, 1, 4, 2, 0]);
  // Of ambiguous width: terminals outside East Asia draw one column. Colours have none.
  expect(['→', '█', '…', '\u001b[1mabc\u001b[22m'].map(displayWidth)).toEqual([1, 1, 1, 3]);
  expect([{ columns: 0 }, {}, { columns: 20 }].map(terminalColumns)).toEqual([80, 80, 20]);
});

it('pads a text to a width', () => {
  expect([padEnd('日', 4), padStart('日', 4), padEnd('long', 2)]).toEqual(['日  ', '  日', 'long']);
});

it('truncates a text with an ellipsis, at the end or in the middle', () => {
  expect([truncate('abcdef', 6), truncate('abcdef', 4), truncate('日本語', 4)]).toEqual(['abcdef', 'abc…', '日…']);
  expect(truncateMiddle('0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045', 13)).toBe('0xd8dA…A96045');
  expect(truncateMiddle('abc', 3)).toBe('abc');
});

it('wraps lines at spaces, and breaks only words that are longer than a line', () => {
  expect(wrap('the quick brown fox', 10)).toEqual(['the quick', 'brown fox']);
  expect(wrap('abcdefghij kl', 4)).toEqual(['abcd', 'efgh', 'ij', 'kl']);
  expect(wrap('', 4)).toEqual(['']);
  expect(wrapWords('abcdefghij kl', 4)).toEqual(['abcdefghij', 'kl']);
});

it('truncates between grapheme clusters, never within one', () => {
  const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
  const pieces = (whole: string) => [...graphemes.segment(whole)].map(({ segment }) => segment);
  fc.assert(
    fc.property(text, width, (whole, columns) => {
      for (const cut of [truncate(whole, columns), truncateMiddle(whole, columns)]) {
        const [head = '', tail = ''] = cut.split('…');
        const [first, last] = [pieces(head), pieces(tail)];
        expect(first).toEqual(pieces(whole).slice(0, first.length));
        expect(last).toEqual(last.length === 0 ? [] : pieces(whole).slice(-last.length));
      }
    }),
  );
  expect(truncateMiddle('wallet of 🦊🦊🦊🦊🦊🦊🦊🦊🦊', 20)).toBe('wallet of …🦊🦊🦊🦊');
});

it('never exceeds the width, and loses no character in wrapping', () => {
  fc.assert(
    fc.property(text, width, (whole, columns) => {
      const lines = wrap(whole, columns);
      for (const line of [...lines, truncate(whole, columns), truncateMiddle(whole, columns)]) {
        expect(displayWidth(line)).toBeLessThanOrEqual(columns);
      }
      // wrap-ansi composes letters with their marks.
      expect(lines.join('').replaceAll(' ', '')).toBe(whole.replaceAll(' ', '').normalize());
    }),
  );
});
