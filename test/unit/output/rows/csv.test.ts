import { stringify } from 'csv-stringify/sync';
import { expect, it } from 'vitest';
import { csvLine } from '../../../../src/output/rows/csv.ts';
import { anyText, fc } from '../../../fixtures/properties.ts';

it('writes a line of CSV as csv-stringify does', () => {
  const cell = fc.oneof(anyText(), fc.string({ unit: fc.constantFrom(...'",;\r\n\t a') }));
  fc.assert(
    fc.property(fc.array(cell, { minLength: 1 }), fc.constantFrom(',', ';', '\t', '|'), (cells, delimiter) => {
      const options = { delimiter, record_delimiter: '\n', quoted_match: /[\r\n]/, quoted_empty: cells.length === 1 };
      expect(csvLine(cells, delimiter)).toBe(stringify([cells], options));
    }),
  );
});
