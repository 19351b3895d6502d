import { describe, expect, it } from 'vitest';
import { createSelection, type TableQuery } from '../../../../src/output/report/page/selection.ts';
import type { Filter, PageData, PageRow } from '../../../../src/output/report/page-data.ts';

const ROWS: readonly PageRow[] = [
  {
    line: 1,
    wallet: '0xAA',
    label: 'Alpha  desk 7',
    status: 'scored',
    score: '9007199254740993',
    collateral: '0.0',
    texts: [['level', 'Calm']],
  },
  {
    line: 2,
    wallet: '0xBB',
    status: 'scored',
    score: '9007199254740992',
    collateral: '12',
    texts: [['level', 'High']],
    matched: ['low'],
  },
  { line: 3, wallet: '0xCC', status: 'failed', error: 'no such wallet' },
  {
    line: 4,
    wallet: '0xDD',
    status: 'scored',
    score: '-1',
    collateral: '1e3',
    warning: 'errors: aave',
    excused: [{ rule: 'low', text: 'low: agreed' }],
  },
  { line: 5, wallet: '0xEE', status: 'no_score', collateral: '100', unjudged: ['low'] },
];
const FILTERS: readonly Filter[] = [
  { group: 'status', label: 'scored', kind: 'status', status: 'scored' },
  { group: 'status', label: 'failed', kind: 'status', status: 'failed' },
  { group: 'collateral', label: '$0', kind: 'range', measure: 'collateral', from: 0, to: 0, isClosed: true },
  {
    group: 'collateral',
    label: '$10 to $100',
    kind: 'range',
    measure: 'collateral',
    from: 10,
    to: 100,
    isClosed: false,
  },
  { group: 'level', label: 'level High', kind: 'text', name: 'level', text: 'High' },
  { group: 'rules', label: 'low', kind: 'matched', rule: 'low' },
  { group: 'rules', label: 'low (excused)', kind: 'excused', rule: 'low' },
  { group: 'incomplete', label: 'incomplete', kind: 'incomplete' },
  { group: 'rules', label: 'low (not judged)', kind: 'unjudged', rule: 'low' },
  { group: 'marked', label: 'matched', kind: 'matched' },
  { group: 'marked', label: 'not judged', kind: 'unjudged' },
  { group: 'marked', label: 'excused', kind: 'excused' },
  { group: 'status', label: 'without a score', kind: 'unscored' },
];
/** Rows whose labels are numbered, to be told apart by whole numbers. */
const CUSTOMERS: readonly PageRow[] = Array.from({ length: 1_000 }, (_, i) => ({
  line: i + 1,
  wallet: `0x${(i * 79).toString(16).padStart(40, '0')}`,
  label: `Customer ${i + 1}`,
  columns: [['desk', String(i % 3)]],
}));
const DATA: PageData = { filters: FILTERS, rows: ROWS, parts: [] };

const { select } = createSelection(DATA);
const lines = (wish: Partial<TableQuery>) =>
  select({ search: '', filters: new Set(), ...wish }).map((number) => ROWS[number]?.line);
const filtered = (...filters: number[]) => lines({ filters: new Set(filters) });

describe('the rows that are shown', () => {
  it('are all rows in the order of the list by default', () => {
    expect(lines({})).toEqual([1, 2, 3, 4, 5]);
  });

  it.each([
    ['0xb', [2]],
    ['ALPHA', [1]],
    ['desk scored', [1]],
    ['no such', [3]],
    ['low', [2, 4, 5]],
    ['high', [2]],
    ['aave', [4]],
    ['not there', []],
    ['alpha desk', [1]],
    ['alpha desk 7', [1]],
  ])('have the phrase, or else every word, of the search %s', (search, expected) => {
    expect(lines({ search })).toEqual(expected);
  });

  it('match the numbers of a phrase as a whole', () => {
    const { select: find } = createSelection({ ...DATA, rows: CUSTOMERS });
    const labels = (search: string) => find({ search, filters: new Set() }).map((number) => CUSTOMERS[number]?.label);
    expect(labels('customer 79')).toEqual(['Customer 79']);
    expect(labels(' CUSTOMER   79 ')).toEqual(['Customer 79']);
    expect(labels('customer 7')).toEqual(['Customer 7']);
    expect(labels('79 customer')).toHaveLength(
      CUSTOMERS.filter(({ wallet, label }) => `${wallet}${label}`.includes('79')).length,
    );
    expect(labels('customer 1001')).toEqual([]);
    expect(labels('customer')).toHaveLength(1_000);
  });

  it('are searched in texts that are built once', () => {
    let reads = 0;
    const rows = CUSTOMERS.map(
      (row) =>
        new Proxy(row, {
          get(target, key) {
            reads += 1;
            return Reflect.get(target, key);
          },
        }),
    );
    const { select: find, prepare } = createSelection({ ...DATA, rows });
    find({ search: '', filters: new Set() });
    expect(reads).toBe(0);
    prepare();
    reads = 0;
    for (const search of ['c', 'cu', 'customer', 'customer 7', 'customer 79', 'not there', '']) {
      find({ search, filters: new Set() });
    }
    expect(reads).toBe(0);
    const sort = { key: 'label', descending: false } as const;
    find({ search: '', filters: new Set(), sort });
    expect(reads).toBe(rows.length);
    find({ search: 'customer', filters: new Set(), sort });
    expect(reads).toBe(rows.length);
    find({ search: '', filters: new Set([0]) });
    expect(reads).toBe(2 * rows.length);
  });

  it('pass one filter of each group', () => {
    expect(filtered(0)).toEqual([1, 2, 4]);
    expect(filtered(0, 1)).toEqual([1, 2, 3, 4]);
    expect(filtered(0, 3)).toEqual([2]);
    expect(filtered(8)).toEqual([5]);
    expect(filtered(2)).toEqual([1]);
    expect(filtered(2, 3)).toEqual([1, 2]);
    expect([filtered(9), filtered(10), filtered(11), filtered(12)]).toEqual([[2], [5], [4], [3, 5]]);
    expect([filtered(4), filtered(5), filtered(6), filtered(7)]).toEqual([[2], [2], [4], [4]]);
    expect(lines({ search: '0xa', filters: new Set([1]) })).toEqual([]);
  });

  it('are sorted exactly, with missing values last in both directions', () => {
    const sorted = (key: 'score' | 'wallet' | 'rules' | 'remark', descending = false) =>
      lines({ sort: { key, descending } });
    expect(sorted('score')).toEqual([4, 2, 1, 3, 5]);
    expect(sorted('score', true)).toEqual([1, 2, 4, 3, 5]);
    expect(sorted('wallet', true)).toEqual([5, 4, 3, 2, 1]);
    expect(sorted('rules')).toEqual([2, 4, 5, 1, 3]);
    expect(sorted('remark')).toEqual([4, 3, 1, 2, 5]);
  });
});
