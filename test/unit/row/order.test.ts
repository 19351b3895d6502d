import { expect, it } from 'vitest';
import { parseDocument } from '../../../src/document/parse.ts';
import { formatPath } from '../../../src/document/path.ts';
import { UsageError } from '../../../src/errors.ts';
import { compareKeys, sortKey } from '../../../src/row/sort-key.ts';
import { parseSort, parseTop } from '../../../src/rules/shape.ts';
import { fc } from '../../fixtures/properties.ts';
import { documents } from '../document/documents.ts';

it.each([
  ['a.b', 'a.b', false],
  ['a.b:asc', 'a.b', false],
  ['a.b:desc', 'a.b', true],
  [' a.b:desc ', 'a.b', true],
  ['["a:desc"]', '["a:desc"]', false],
  ['eip155:1', 'eip155:1', false],
  ['eip155:1:desc', 'eip155:1', true],
])('reads the sort key %j', (text, path, descending) => {
  const sort = parseSort(text);
  expect(formatPath(sort.path)).toBe(formatPath(parseSort(path).path));
  expect(sort).toMatchObject({ text, descending });
});

it.each([['a:down'], ['a:DESC'], [''], [':desc'], ['a..b']])('refuses the sort key %j', (text) => {
  expect(() => parseSort(text)).toThrow(UsageError);
});

it('reads a whole number above 0 for --top', () => expect(['1', '10', '250'].map(parseTop)).toEqual([1, 10, 250]));

it.each(['0', '-1', '1.5', '1e2', 'ten', ''])('refuses %j for --top', (text) => {
  const hint = 'give a whole number above 0';
  expect(() => parseTop(text)).toThrow(expect.objectContaining({ message: `--top cannot be '${text}'`, hint }));
});

const keyOf = (json: string) => sortKey(parseDocument(json));
const sorted = (items: readonly string[], descending = false) =>
  [...items].sort((a, b) => compareKeys(keyOf(a), keyOf(b), { descending }));

it('sorts numbers first, then text, then booleans, then missing values', () => {
  const items = ['null', 'true', '"b"', '10', '"9"', '{"a":1}', '"a"', '-1e400', '""', 'false', '9.5'];
  expect(sorted(items)).toEqual([
    ...['-1e400', '"9"', '9.5', '10', '"a"', '"b"', 'false', 'true'],
    ...['null', '{"a":1}', '""'],
  ]);
  expect(sorted(items, true)).toEqual([
    ...['10', '9.5', '"9"', '-1e400', '"b"', '"a"', 'true', 'false'],
    ...['null', '{"a":1}', '""'],
  ]);
});

it('sorts any values in one total order, in both directions', () => {
  fc.assert(
    fc.property(documents, documents, documents, fc.boolean(), (...[one, two, three, descending]) => {
      const [a, b, c] = [one, two, three].map(sortKey) as [ReturnType<typeof sortKey>, never, never];
      const order = (x: typeof a, y: typeof a) => compareKeys(x, y, { descending });
      expect(Math.sign(order(a, b)) === -Math.sign(order(b, a))).toBe(true);
      if (order(a, b) <= 0 && order(b, c) <= 0) expect(order(a, c)).toBeLessThanOrEqual(0);
    }),
  );
});
