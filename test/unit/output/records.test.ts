import { parse } from 'csv-parse/sync';
import { expect, it } from 'vitest';
import { type FlatRecord, type RecordOptions, renderRecords } from '../../../src/output/records.ts';

const PIPE: RecordOptions = { format: 'table', terminal: undefined };
const TERMINAL: RecordOptions = { format: 'table', terminal: { width: 80, color: 0 } };
const KEYS = [
  { environment: 'default', base_url: 'https://api.example.com', age_days: 3, rotation_due: false },
  { environment: 'prod', base_url: 'https://prod.example.com', age_days: null, rotation_due: true },
];
const number = (spelling: string) => ({ kind: 'number', spelling }) as const;
const AMOUNTS = [
  { score: number('7.125'), total_collateral_usd: number('1234567.895') },
  { score: null, total_collateral_usd: number('0') },
];
const HOSTILE = [...KEYS, { environment: 'a\tb\n', base_url: '\u001b[2J', age_days: 0, rotation_due: null }];
const SINGLE = [{ name: 'x', clock_offset_ms: null }];

it.each<[string, readonly FlatRecord[], RecordOptions, readonly string[]]>([
  [
    'in columns on a terminal',
    KEYS,
    TERMINAL,
    [
      'ENVIRONMENT  BASE URL                  AGE DAYS  ROTATION DUE',
      'default      https://api.example.com          3  false',
      'prod         https://prod.example.com         -  true',
    ],
  ],
  [
    'with a bold head, and dollars in cents, on a terminal',
    AMOUNTS,
    { ...TERMINAL, terminal: { width: 80, color: 1 } },
    [
      '\u001b[1mSCORE\u001b[22m  \u001b[1mTOTAL COLLATERAL USD\u001b[22m',
      '7.125         $1,234,567.90',
      '    -                 $0.00',
    ],
  ],
  ['with every digit on a pipe', AMOUNTS, PIPE, ['7.125\t1234567.895', '\t0']],
  [
    'one after the other where columns do not fit, and nothing cut',
    KEYS,
    { ...TERMINAL, terminal: { width: 40, color: 0 } },
    [
      'environment   default',
      'base url      https://api.example.com',
      'age days      3',
      'rotation due  false',
      '',
      'environment   prod',
      'base url      https://prod.example.com',
      'age days      -',
      'rotation due  true',
    ],
  ],
  [
    'separated by tabs without a head on a pipe, foreign text escaped',
    HOSTILE,
    PIPE,
    [
      'default\thttps://api.example.com\t3\tfalse',
      'prod\thttps://prod.example.com\t\ttrue',
      'a\\tb\\n\t\\u001b[2J\t0\t',
    ],
  ],
  ['as names and values', SINGLE, { ...TERMINAL, single: true }, ['name             x', 'clock offset ms  -']],
  ['as names and values on a pipe', SINGLE, { ...PIPE, single: true }, ['name\tx', 'clock_offset_ms\t']],
  ['in csv on a terminal', [{ name: '\u001b[31mred' }], { ...TERMINAL, format: 'csv' }, ['name', '\\u001b[31mred']],
  ['in csv as they are on a pipe', [{ name: '\u001b[31mred' }], { ...PIPE, format: 'csv' }, ['name', '\u001b[31mred']],
  ['by no line where there are none, on a terminal', [], TERMINAL, []],
  ['by no line where there are none, on a pipe', [], PIPE, []],
  ['by no line where there are none, in csv', [], { ...PIPE, format: 'csv' }, []],
])('shows records %s', async (_, records, options, lines) => {
  expect(await renderRecords(records, options)).toBe(lines.map((line) => `${line}\n`).join(''));
});

it('writes records as json and csv that parse back, with formulas neutralised and numbers unchanged', async () => {
  const json = async (records: readonly FlatRecord[], single = false) =>
    JSON.parse(await renderRecords(records, { ...PIPE, format: 'json', single }));
  expect([await json(KEYS), await json([]), await json([{ name: 'x' }], true)]).toEqual([KEYS, [], { name: 'x' }]);
  const records = [
    { a: '=1+1', b: -5, c: 'x,"y"\nz' },
    { a: 'q', b: null, c: '' },
  ];
  expect(parse(await renderRecords(records, { ...PIPE, format: 'csv' }))).toEqual([
    ['a', 'b', 'c'],
    ["'=1+1", '-5', 'x,"y"\nz'],
    ['q', '', ''],
  ]);
});
