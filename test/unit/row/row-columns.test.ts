import { expect, it } from 'vitest';
import { rowPosition } from '../../../src/row/row-columns.ts';

it('a row of several lists has its file and line', () => {
  expect(rowPosition({ line: 3 })).toBe('line 3');
  expect(rowPosition({ file: 'a.csv', line: 3 })).toBe('a.csv, line 3');
});
