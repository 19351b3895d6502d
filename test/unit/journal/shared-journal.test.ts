import { expect, it } from 'vitest';
import { othersBeside } from '../../../src/journal/shared-journal.ts';

it('a journal names the outputs in its folder, but for the one after which it is called', () => {
  const outputs = ['out.csv', 'out.json', './page.html', 'elsewhere/rows.csv', '../above.csv'];
  expect(othersBeside('out.csv.journal', outputs)).toEqual(['out.json', 'page.html']);
  expect(othersBeside('kept.journal', ['out.csv'])).toEqual(['out.csv']);
});
