import { expect, it } from 'vitest';
import { cellText } from '../../../src/document/write.ts';
import type { Row } from '../../../src/row/row.ts';
import { DATA_COLUMNS, rowColumns, rowPosition } from '../../../src/row/row-columns.ts';

const INVALID: Row = { line: 2, input: 'no wallet', status: 'invalid', error: { code: 'not_address', message: 'x' } };

it('with all fields an invalid wallet is in the column of the wallet', () => {
  const columns = rowColumns({ allColumns: ['total_collateral_usd', 'wallet_address'] }, DATA_COLUMNS);
  expect(columns.values(INVALID).map(cellText)).toEqual(['', 'no wallet']);
});

it('a row of several lists has its file and line', () => {
  expect(rowPosition({ line: 3 })).toBe('line 3');
  expect(rowPosition({ file: 'a.csv', line: 3 })).toBe('a.csv, line 3');
});
