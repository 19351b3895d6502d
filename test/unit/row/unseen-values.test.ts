import { describe, expect, it } from 'vitest';
import { lookup } from '../../../src/document/path.ts';
import { parseRules, parseWhere } from '../../../src/row/rules.ts';
import { createValueWatch, isNearValue, warnOfUnseen } from '../../../src/row/unseen-values.ts';
import { document } from '../output/rows.ts';

describe('[93] a value that comes near', () => {
  it.each([
    ['High', 'High Risk'],
    ['HIGH', 'high'],
    ['High Risk', 'HIGH_RISK'],
    ['high', 'HIGH_RISK'],
    ['Risk', 'very high-risk wallet'],
    ['a', 'A'],
    ['élevé', 'Risque ÉLEVÉ'],
  ])('%s is %s', (one, other) => {
    expect([isNearValue(one, other), isNearValue(other, one)]).toEqual([true, true]);
  });

  it.each([
    ['High', 'Higher'],
    ['CRITICAL', 'High Risk'],
    ['AA', 'AA plus'],
    ['12', '12 days'],
    ['', 'High'],
    ['High Low', 'High or Low'],
  ])('%s is not %s', (one, other) => {
    expect([isNearValue(one, other), isNearValue(other, one)]).toEqual([false, false]);
  });
});

function watched(rules: readonly string[], documents: readonly string[], where: readonly string[] = []) {
  const watch = createValueWatch({ rules: parseRules(rules), where: parseWhere(where) });
  for (const text of documents) watch.observe((path) => lookup(document(text), path));
  const [notes, remarks]: [string[], string[]] = [[], []];
  warnOfUnseen(watch.unseen(), { info: (text) => notes.push(text), hint: (text) => remarks.push(text) });
  return { notes, remarks };
}
const levels = (...values: string[]) => values.map((value) => JSON.stringify({ level: value }));

describe('[93] values that no row had', () => {
  it('are reported if one is similar, and always on a terminal, with the values seen', () => {
    expect(watched(['risky: level == High'], levels('Low', 'High Risk', 'High Risk'))).toEqual({
      notes: ["no row had 'High' at level, as --fail-if 'risky' asks; did you mean 'High Risk' (2 rows)?"],
      remarks: ["level was never 'High', as --fail-if 'risky' asks, but 'High Risk' (2 rows), 'Low' (1)"],
    });
    expect(watched(['q: level == "High"'], levels('Low')).remarks).toEqual([
      "level was never 'High', as --fail-if 'q' asks, but 'Low' (1 row)",
    ]);
    expect(watched(['level == CRITICAL'], levels('Low'))).toEqual({
      notes: [],
      remarks: ["level was never 'CRITICAL', as --fail-if 'level == CRITICAL' asks, but 'Low' (1 row)"],
    });
  });

  it('are not reported if a row had them, if there are none, or for other operators', () => {
    const nothing = { notes: [], remarks: [] };
    expect(watched(['level == High'], levels('High Risk', 'High'))).toEqual(nothing);
    expect(watched(['level == High'], ['{"level":null}', '{}', '{"level":{"High Risk":1}}'])).toEqual(nothing);
    expect(watched(['level != High'], levels('High Risk'))).toEqual(nothing);
    expect(watched(['level != High', 'level missing', 'level < 2026-01-01'], levels('High'))).toEqual(nothing);
    expect(watched(['level == 5'], ['{"level":"5.0"}'])).toEqual(nothing);
  });

  it('are reported for numbers and --where, but only texts can be similar', () => {
    expect(watched([], ['{"chain":10}', '{"chain":true}'], ['chain == 1'])).toEqual({
      notes: [],
      remarks: ["chain was never '1', as --where 'chain == 1' asks, but '10' (1 row), 'true' (1)"],
    });
  });

  it('are found even if there are more than the 100 values kept', () => {
    const many = Array.from({ length: 150 }, (_, i) => `wallet ${i}`);
    const { notes, remarks } = watched(['level == High'], levels(...many, 'High Risk'));
    expect(notes).toEqual([expect.stringContaining("did you mean 'High Risk' (1 row)?")]);
    expect(remarks[0]?.match(/'wallet \d+'/g)).toHaveLength(100);
    expect(remarks[0]).toMatch(/, others$/);
  });

  it('do not repeat a possible private key', () => {
    const { remarks } = watched(['level == High'], levels('ab'.repeat(32)));
    expect(remarks.join()).not.toContain('abab');
  });
});
