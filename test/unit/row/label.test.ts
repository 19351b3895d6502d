import { expect, it } from 'vitest';
import { parseDocument } from '../../../src/document/parse.ts';
import { UsageError } from '../../../src/errors.ts';
import { chooseLabel, labelOf } from '../../../src/row/label.ts';
import type { RowInput } from '../../../src/row/row.ts';

const address = (n: number) => `0x${n.toString(16).padStart(40, '0')}`;
const KEY = '4c0883a69102937d6231471b5dbb6204fe512961708279feb1be6ae5538da033';
const API_KEY = 'wrp_9f3KqT7xLm2VbN8sRd4W';

/** Rows with these columns, `count` of them. */
const rows = (columns: Readonly<Record<string, (n: number) => string>>, count = 20): RowInput[] =>
  Array.from({ length: count }, (_, n) => Object.entries(columns).map(([name, cell]) => [name, cell(n)] as const));
const name = (n: number) => `Customer ${n}`;

it('labels rows by the first column with a usual name', () => {
  const list = rows({ wallet: address, id: name, customer: () => 'same', name });
  expect(chooseLabel(list)).toBe('customer');
});

it.each(['label', 'name', 'alias', 'client', 'customer', 'owner', 'entity', 'Name', 'CLIENT', ' Owner '])(
  'labels rows by a column called %j',
  (column) => {
    expect(chooseLabel(rows({ id: name, [column]: String }))).toBe(column);
  },
);

it.each(['names', 'customer name', 'label_1', 'note', 'tag'])('labels no row by a column called %j', (column) => {
  expect(chooseLabel(rows({ [column]: name }))).toBeUndefined();
});

it('labels no row by a column of addresses, whatever its name', () => {
  expect(chooseLabel(rows({ owner: address, name }))).toBe('name');
  expect(chooseLabel(rows({ owner: address }))).toBeUndefined();
});

it('labels JSON elements by a scalar', () => {
  const list = Array.from({ length: 3 }, (_, n) =>
    parseDocument(JSON.stringify({ wallet: address(n), owner: { name: name(n) }, tags: ['a'], client: `id-${n}` })),
  );
  expect(chooseLabel(list)).toBe('client');
  expect(labelOf(list[1] ?? '', 'client')).toBe('id-1');
  expect(labelOf(list[1] ?? '', 'owner')).toBeUndefined();
});

it('labels no row if there are no columns or no rows', () => {
  expect(chooseLabel([address(1), address(2)])).toBeUndefined();
  expect(chooseLabel([])).toBeUndefined();
  expect(chooseLabel([undefined, undefined])).toBeUndefined();
  expect(labelOf(address(1), undefined)).toBeUndefined();
});

const list = rows({ wallet: address, Tier: () => 'gold', tier: () => 'silver', 'Kunde Nr': String });

it.each([
  ['tier', 'tier'],
  ['Tier', 'Tier'],
  ['kunde nr', 'Kunde Nr'],
  [' WALLET ', 'wallet'],
])('finds the column of --label %j: %j', (wanted, column) => expect(chooseLabel(list, wanted)).toBe(column));

it('suggests the nearest columns if the column of --label does not exist', () => {
  const refusal = (given: readonly RowInput[], wanted: string) => {
    try {
      return chooseLabel(given, wanted);
    } catch (error) {
      return error instanceof UsageError && [error.message, error.hint];
    }
  };
  const message = "the list has no column 'teir' for --label";
  expect(refusal(list, 'teir')).toEqual([message, "use one of 'tier', 'Tier', 'wallet', 'Kunde Nr'"]);
  expect(refusal(rows({ owner: name }), 'teir')).toEqual([message, "use one of 'owner'"]);
  expect(refusal([address(1)], 'teir')).toEqual([message, 'its rows have no columns: leave it out']);
  const wide = rows(Object.fromEntries(['a', 'b', 'c', 'd', 'e', 'f'].map((column) => [column, name])));
  expect(refusal(wide, 'teir')).toEqual([message, expect.stringMatching(/^use one of '\w'(?:, '\w'){4}$/)]);
});

const label = (cell: string) => labelOf([['customer', cell]], 'customer');

it('trims blanks around a label', () => {
  expect(label('  Customer 79 ')).toBe('Customer 79');
  expect(label('007')).toBe('007');
  expect(label('  ')).toBeUndefined();
});

it('escapes control characters in a label', () => {
  expect(label('a\u001b[31m\nb\u202e')).toBe('a\\u001b[31m\\nb\\u202e');
});

it('truncates a label to 100 characters', () => {
  expect(label('x'.repeat(100))).toBe('x'.repeat(100));
  expect(label('x'.repeat(500))).toBe(`${'x'.repeat(97)}...`);
  expect(label('😀'.repeat(500))).toBe(`${'😀'.repeat(97)}...`);
});

it.each([KEY, `0x${KEY}`, API_KEY])('redacts the secret %s in a label', (secret) => {
  const text = label(`Ann ${secret} x`) ?? '';
  expect(text).toMatch(/^Ann <withheld.*> x$/);
  expect(text).not.toContain(secret);
});
