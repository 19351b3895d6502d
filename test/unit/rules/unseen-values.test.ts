import { expect, it } from 'vitest';
import { lookup } from '../../../src/document/path.ts';
import { parseRules, parseWhere } from '../../../src/rules/rules.ts';
import { UnseenValues } from '../../../src/rules/unseen-values.ts';
import { document } from '../output/rows.ts';

/** @param documents the answers of rows; 'none' for a row without one */
function notesOf(rules: readonly string[], documents: readonly string[], where: readonly string[] = []) {
  const watch = new UnseenValues({ rules: parseRules(rules), where: parseWhere(where) });
  for (const text of documents) watch.observe((path) => (text === 'none' ? 'unknown' : lookup(document(text), path)));
  const notes: string[] = [];
  watch.report({ info: (text: string) => void notes.push(text) } as never);
  return notes;
}
const levels = (...values: string[]) => values.map((value) => JSON.stringify({ level: value }));

it('reports a value that no row had with those that rows had, the most frequent first', () => {
  expect(notesOf(['risky: level == "High"'], levels('Low', 'High Risk', 'High Risk'))).toEqual([
    "no row had 'High' at level, as --fail-if 'risky' asks; rows had: 'High Risk' 2, 'Low' 1",
  ]);
  expect(notesOf([], ['{"chain":10}', '{"chain":true}'], ['chain == 1'])).toEqual([
    "no row had '1' at chain, as --where 'chain == 1' asks; rows had: '10' 1, 'true' 1",
  ]);
});

it('reports no value that a row had, none without answers, and none for other operators', () => {
  expect(notesOf(['level == High'], levels('High Risk', 'High'))).toEqual([]);
  expect(notesOf(['level == High'], ['{"level":null}', '{}', '{"level":{"High Risk":1}}', 'none'])).toEqual([]);
  expect(notesOf(['level != High', 'level missing', 'level < 2026-01-01'], levels('High'))).toEqual([]);
  expect(notesOf(['level == 5'], ['{"level":"5.0"}'])).toEqual([]);
});

it('reports twenty values of many, without a possible private key', () => {
  const many = Array.from({ length: 150 }, (_, i) => `wallet ${i}`);
  const [note = ''] = notesOf(['level == High'], levels('ab'.repeat(32), ...many));
  expect(note.match(/'wallet \d+'/g)).toHaveLength(19);
  expect(note).toMatch(/, others$/);
  expect(note).not.toContain('abab');
});
