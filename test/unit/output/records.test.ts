import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { type RecordOptions, renderRecords } from '../../../src/output/records.ts';

const OPTIONS: RecordOptions = { format: 'table', terminal: { width: 80, color: 0 } };
const KEYS = [
  { environment: 'default', base_url: 'https://api.example.com', age_days: 3, rotation_due: false },
  { environment: 'prod', base_url: 'https://prod.example.com', age_days: null, rotation_due: true },
];

describe('renderRecords', () => {
  it('shows several records in columns on a terminal', async () => {
    expect(await renderRecords(KEYS, OPTIONS)).toBe(
      [
        'ENVIRONMENT  BASE URL                  AGE DAYS  ROTATION DUE',
        'default      https://api.example.com          3  false',
        'prod         https://prod.example.com         -  true',
        '',
      ].join('\n'),
    );
  });

  it('has a bold head, and rounds dollars to cents, on a terminal only', async () => {
    const number = (spelling: string) => ({ kind: 'number', spelling }) as const;
    const records = [
      { score: number('7.125'), total_collateral_usd: number('1234567.895') },
      { score: null, total_collateral_usd: number('0') },
    ];
    expect(await renderRecords(records, { ...OPTIONS, terminal: { width: 80, color: 1 } })).toBe(
      [
        '\u001b[1mSCORE\u001b[22m  \u001b[1mTOTAL COLLATERAL USD\u001b[22m',
        '7.125         $1,234,567.90',
        '    -                 $0.00',
        '',
      ].join('\n'),
    );
    expect(await renderRecords(records, { ...OPTIONS, terminal: undefined })).toBe('7.125\t1234567.895\n\t0\n');
  });

  it('escapes control characters in csv on a terminal, and keeps them on a pipe', async () => {
    const record = [{ name: '\u001b[31mred' }];
    const csv = { ...OPTIONS, format: 'csv' } as const;
    expect(await renderRecords(record, csv)).toBe('name\n\\u001b[31mred\n');
    expect(await renderRecords(record, { ...csv, terminal: undefined })).toBe('name\n\u001b[31mred\n');
  });

  it('shows record by record if columns do not fit, and cuts nothing', async () => {
    expect(await renderRecords(KEYS, { ...OPTIONS, terminal: { width: 40, color: 0 } })).toBe(
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
        '',
      ].join('\n'),
    );
  });

  it('is tab-separated without a header on a pipe, foreign text escaped', async () => {
    const records = [...KEYS, { environment: 'a\tb\n', base_url: '\u001b[2J', age_days: 0, rotation_due: null }];
    expect(await renderRecords(records, { ...OPTIONS, terminal: undefined })).toBe(
      'default\thttps://api.example.com\t3\tfalse\n' +
        'prod\thttps://prod.example.com\t\ttrue\n' +
        'a\\tb\\n\t\\u001b[2J\t0\t\n',
    );
  });

  it('shows a single record as lines of name and value, and as one object in json', async () => {
    const single = { ...OPTIONS, single: true };
    expect(await renderRecords([{ name: 'x', clock_offset_ms: null }], single)).toBe(
      'name             x\nclock offset ms  -\n',
    );
    expect(await renderRecords([{ name: 'x', clock_offset_ms: -2 }], { ...single, terminal: undefined })).toBe(
      'name\tx\nclock_offset_ms\t-2\n',
    );
    expect(JSON.parse(await renderRecords([{ name: 'x' }], { ...single, format: 'json' }))).toEqual({ name: 'x' });
  });

  it('writes json and csv that parse back, formulas neutralised and numbers untouched', async () => {
    expect(JSON.parse(await renderRecords(KEYS, { ...OPTIONS, format: 'json' }))).toEqual(KEYS);
    expect(JSON.parse(await renderRecords([], { ...OPTIONS, format: 'json' }))).toEqual([]);
    const csv = await renderRecords(
      [
        { a: '=1+1', b: -5, c: 'x,"y"\nz' },
        { a: 'q', b: null, c: '' },
      ],
      {
        ...OPTIONS,
        terminal: undefined,
        format: 'csv',
      },
    );
    expect(parse(csv)).toEqual([
      ['a', 'b', 'c'],
      ["'=1+1", '-5', 'x,"y"\nz'],
      ['q', '', ''],
    ]);
  });

  it('prints nothing for a table without records', async () => {
    expect(await renderRecords([], OPTIONS)).toBe('');
    expect(await renderRecords([], { ...OPTIONS, terminal: undefined })).toBe('');
    expect(await renderRecords([], { ...OPTIONS, format: 'csv' })).toBe('');
  });
});
