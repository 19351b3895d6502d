/** The journal of several outputs: which of them it names, and how it is found from each. */
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { headerLine } from '../../../src/journal/journal-records.ts';
import { journalNaming, othersBeside } from '../../../src/journal/shared-journal.ts';
import { openFiles } from '../../fixtures/place/calls.ts';
import { temporaryFolder } from '../../fixtures/place/folder.ts';
import { base } from './journal-stage.ts';

it('a journal names the outputs in its folder, except the one it is named after', () => {
  const outputs = ['out.csv', 'out.json', './page.html', 'elsewhere/rows.csv', '../above.csv'];
  expect(othersBeside('out.csv.journal', outputs)).toEqual(['out.json', 'page.html']);
  expect(othersBeside('kept.journal', ['out.csv'])).toEqual(['out.csv']);
});

it('a journal is found from each output that it names, and only if it can be trusted', () => {
  const folder = temporaryFolder();
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text, { mode: 0o600 });
  const found = (output: string) => journalNaming(join(folder, output), process.getuid?.());
  write('c.journal', headerLine({ base, outputs: ['rows.json', 'page.html'] }));
  write('b.journal', headerLine({ base, outputs: ['rows.json'] }));
  write('a.journal', '{"riskcli_journal":1,"base_url":"x","outputs":"rows.json"}\n');
  write('0.journal', 'null\n');
  write('1.journal', '');
  write('a.csv', headerLine({ base, outputs: ['rows.json', 'other.csv'] }));
  mkdirSync(join(folder, '2.journal'));
  expect(['rows.json', 'page.html', 'other.csv'].map(found)).toEqual([
    join(folder, 'b.journal'),
    join(folder, 'c.journal'),
    undefined,
  ]);
  chmodSync(join(folder, 'b.journal'), 0o666);
  expect(found('rows.json')).toBe(join(folder, 'c.journal'));
  expect(found('nowhere/rows.json')).toBeUndefined();
  expect(openFiles(`${folder}/`)).toEqual([]);
});
