import { describe, expect, it } from 'vitest';
import { parseDocument } from '../../../src/document/parse.ts';
import { UsageError } from '../../../src/errors.ts';
import { chooseLabel, LABEL_ROWS, labelOf } from '../../../src/row/label.ts';
import type { RowInput } from '../../../src/row/row.ts';

const address = (n: number) => `0x${n.toString(16).padStart(40, '0')}`;
const KEY = '4c0883a69102937d6231471b5dbb6204fe512961708279feb1be6ae5538da033';
const API_KEY = 'wrp_9f3KqT7xLm2VbN8sRd4W';

/** Rows with these columns, `count` of them. */
const rows = (columns: Readonly<Record<string, (n: number) => string>>, count = 20): RowInput[] =>
  Array.from({ length: count }, (_, n) => Object.entries(columns).map(([name, cell]) => [name, cell(n)] as const));
const name = (n: number) => `Customer ${n}`;

describe('the column that labels rows', () => {
  it('is the first whose texts are mostly distinct', () => {
    const list = rows({ wallet: address, tier: (n) => ['gold', 'silver'][n % 2] ?? '', customer: name, note: name });
    expect(chooseLabel(list)).toBe('customer');
  });

  it.each<[string, (n: number) => string]>([
    ['numbers', (n) => String(1000 + n)],
    ['numbers with an exponent', (n) => `${n}e5`],
    ['addresses', address],
    ['addresses in a text', (n) => `wallet ${address(n)}`],
    ['addresses of other chains', (n) => `bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5${n}`],
    ['hashes that are redacted', (n) => n.toString(16).padStart(64, KEY)],
    ['shorter hashes', (n) => (n + 11).toString(16).padStart(32, '9e107d9d372bb6826bd81d3542a419d6')],
    ['UUIDs', (n) => `123e4567-e89b-12d3-a456-4266141740${10 + n}`],
    ['dates', (n) => `2026-11-${10 + n}T10:00:00Z`],
    ['URLs', (n) => `https://example.com/customers/${n}`],
    ['values of few kinds', (n) => `tier ${n % 3}`],
    ['API keys', (n) => `${API_KEY}${n}`],
    ['blanks', () => ' '],
  ])('is not one of %s', (_, cell) => {
    expect(chooseLabel(rows({ first: cell, customer: name }))).toBe('customer');
    expect(chooseLabel(rows({ first: cell }))).toBeUndefined();
  });

  it.each<[string, (n: number) => string]>([
    ['names with a date in them', (n) => `Martha May ${n}`],
    ['names in other scripts', (n) => `顧客 ${n}`],
    ['names that a terminal would obey', (n) => `\u001b[2J${n}x`],
    ['e-mail addresses', (n) => `a${n}@example.com`],
    ['ENS names, which are no wallets here', (n) => `holder${n}.eth`],
  ])('may be one of %s', (_, cell) => {
    expect(chooseLabel(rows({ first: cell, customer: name }))).toBe('first');
  });

  it('requires nine distinct texts in ten, blanks not counted', () => {
    const of = (distinct: number, cell: string) =>
      chooseLabel(rows({ customer: (n) => (n < distinct ? name(n) : cell) }, 10));
    expect(of(9, '')).toBe('customer');
    expect(of(8, '')).toBeUndefined();
    expect(of(8, 'same')).toBe('customer');
    expect(of(7, 'same')).toBeUndefined();
    expect(chooseLabel([...rows({ customer: name }, 9), [['tier', '']]])).toBe('customer');
    expect(chooseLabel([...rows({ customer: name }, 8), [['tier', '']], [['tier', '']]])).toBeUndefined();
  });

  it('is chosen by the first hundred rows', () => {
    const list = rows({ customer: (n) => (n < LABEL_ROWS ? name(n) : 'same') }, 1_000);
    expect(chooseLabel(list)).toBe('customer');
    expect(chooseLabel(list.slice(50))).toBeUndefined();
  });

  it('is a scalar of JSON elements', () => {
    const list = Array.from({ length: 3 }, (_, n) =>
      parseDocument(JSON.stringify({ wallet: address(n), owner: { name: name(n) }, tags: ['a'], id: `id-${n}` })),
    );
    expect(chooseLabel(list)).toBe('id');
    expect(labelOf(list[1] ?? '', 'id')).toBe('id-1');
    expect(labelOf(list[1] ?? '', 'owner')).toBeUndefined();
  });

  it('is undefined if there are no columns or no rows', () => {
    expect(chooseLabel([address(1), address(2)])).toBeUndefined();
    expect(chooseLabel([])).toBeUndefined();
    expect(chooseLabel([undefined, undefined])).toBeUndefined();
    expect(labelOf(address(1), undefined)).toBeUndefined();
  });
});

describe('the column of --label', () => {
  const list = rows({ wallet: address, Tier: () => 'gold', tier: () => 'silver', 'Kunde Nr': String });

  it.each([
    ['tier', 'tier'],
    ['Tier', 'Tier'],
    ['kunde nr', 'Kunde Nr'],
    [' WALLET ', 'wallet'],
  ])('%j is %j, whatever it holds', (wanted, column) => {
    expect(chooseLabel(list, wanted)).toBe(column);
  });

  it('must exist, else the nearest are named', () => {
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
});

describe('a label', () => {
  const label = (cell: string) => labelOf([['customer', cell]], 'customer');

  it('is the text of its cell, without blanks around it', () => {
    expect(label('  Customer 79 ')).toBe('Customer 79');
    expect(label('007')).toBe('007');
    expect(label('  ')).toBeUndefined();
  });

  it('has escaped control characters', () => {
    expect(label('a\u001b[31m\nb\u202e')).toBe('a\\u001b[31m\\nb\\u202e');
  });

  it('is cut', () => {
    expect(label('x'.repeat(100))).toBe('x'.repeat(100));
    expect(label('x'.repeat(500))).toBe(`${'x'.repeat(99)}…`);
    expect(label('😀'.repeat(500))).toBe(`${'😀'.repeat(99)}…`);
  });

  it.each([KEY, `0x${KEY}`, API_KEY])('holds no secret: %s', (secret) => {
    const text = label(`Ann ${secret} x`) ?? '';
    expect(text).toMatch(/^Ann <withheld.*> x$/);
    expect(text).not.toContain(secret);
  });
});
