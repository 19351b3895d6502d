import { expect, it } from 'vitest';
import { createSelection, type TableQuery } from '../../../../src/output/report/page/selection.ts';
import type { Filter, PageRow } from '../../../../src/output/report/page-data.ts';

const ROWS: readonly PageRow[] = [
  {
    line: 1,
    wallet: '0xAA',
    label: 'Alpha  desk 7',
    status: 'scored',
    score: '9007199254740993',
    collateral: '0.0',
    texts: [['level', 'Calm']],
    verdicts: [],
  },
  {
    line: 2,
    wallet: '0xBB',
    status: 'scored',
    score: '9007199254740992',
    collateral: '12',
    texts: [['level', 'High']],
    verdicts: [{ mark: 'matched', rule: 'low', text: 'low' }],
  },
  { line: 3, wallet: '0xCC', status: 'failed', error: 'no such wallet', verdicts: [] },
  {
    line: 4,
    wallet: '0xDD',
    status: 'scored',
    score: '-1',
    collateral: '1e3',
    warning: 'errors: aave',
    verdicts: [{ mark: 'excused', rule: 'low', text: 'low: agreed' }],
  },
  {
    line: 5,
    wallet: '0xEE',
    status: 'no_score',
    collateral: '1234567.5',
    verdicts: [{ mark: 'unjudged', rule: 'low', text: 'low' }],
  },
];
const scored: Filter = { group: 'status', label: 'scored', kind: 'status', status: 'scored' };
const failed: Filter = { group: 'status', label: 'failed', kind: 'status', status: 'failed' };
/** Of the collateral. */
const range = (from: number, to: number, isClosed = false): Filter => ({
  ...{ group: 'collateral', label: 'a range', kind: 'range', measure: 'collateral', from, to, isClosed },
});
/** In the group of rules, by one or by any. */
const marked = (kind: 'matched' | 'excused' | 'unjudged', rule?: string): Filter => ({
  ...{ group: 'rules', label: kind, kind, ...(rule && { rule }) },
});
/** Rows whose labels are numbered, to be told apart by whole numbers. */
const CUSTOMERS: readonly PageRow[] = Array.from({ length: 1_000 }, (_, i) => ({
  line: i + 1,
  wallet: `0x${(i * 79).toString(16).padStart(40, '0')}`,
  label: `Customer ${i + 1}`,
  columns: [['desk', String(i % 3)]],
  verdicts: [],
}));

const select = createSelection({ rows: ROWS, level: 'level' });
const lines = (query: Partial<TableQuery>) =>
  select({ search: '', filters: new Set(), ...query }).map((number) => ROWS[number]?.line);
const filtersOf = (filters: readonly Filter[]) => new Set(filters.map((filter) => JSON.stringify(filter)));

it('shows all rows in the order of the list by default', () => expect(lines({})).toEqual([1, 2, 3, 4, 5]));

it.each([
  ['0xb', [2]],
  ['ALPHA', [1]],
  ['calm desk', [1]],
  ['failed', [3]],
  ['1234567.5', [5]],
  ['1,234,567.50', [5]],
  ['no such', [3]],
  ['low', [2, 4, 5]],
  ['high', [2]],
  ['aave', [4]],
  ['not there', []],
  ['alpha desk', [1]],
  ['alpha desk 7', [1]],
])('shows rows with the phrase, or else with every word, of the search %s', (search, expected) => {
  expect(lines({ search })).toEqual(expected);
});

it('matches the numbers of a phrase as a whole', () => {
  const find = createSelection({ rows: CUSTOMERS });
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

it.each<[readonly Filter[], readonly number[]]>([
  [[scored], [1, 2, 4]],
  [
    [scored, failed],
    [1, 2, 3, 4],
  ],
  [[range(0, 0, true)], [1]],
  [
    [range(0, 0, true), range(10, 100)],
    [1, 2],
  ],
  [[range(10, 1_000, true)], [2, 4]],
  [[range(10, 1_000)], [2]],
  [[scored, range(10, 100)], [2]],
  [[{ group: 'level', label: '', kind: 'text', name: 'level', text: 'High' }], [2]],
  [[{ group: 'shown', label: '', kind: 'incomplete' }], [4]],
  [[{ group: 'shown', label: '', kind: 'unscored' }], [3, 5]],
  [[marked('matched')], [2]],
  [[marked('matched', 'low')], [2]],
  [[marked('matched', 'other')], []],
  [[marked('excused')], [4]],
  [[marked('excused', 'low')], [4]],
  [[marked('unjudged')], [5]],
  [[marked('unjudged', 'low')], [5]],
])('shows rows that pass one filter of each group: %j', (filters, expected) => {
  expect(lines({ filters: filtersOf(filters) })).toEqual(expected);
  expect(lines({ filters: filtersOf(filters), search: 'not there' })).toEqual([]);
});

it('sorts rows exactly, with missing values last in both directions', () => {
  const sorted = (key: 'score' | 'wallet' | 'rules' | 'remark', descending = false) =>
    lines({ sort: { key, descending } });
  expect(sorted('score')).toEqual([4, 2, 1, 3, 5]);
  expect(sorted('score', true)).toEqual([1, 2, 4, 3, 5]);
  expect(sorted('wallet', true)).toEqual([5, 4, 3, 2, 1]);
  expect(sorted('rules')).toEqual([2, 4, 5, 1, 3]);
  expect(sorted('remark')).toEqual([4, 3, 1, 2, 5]);
});
