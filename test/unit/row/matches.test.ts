import { describe, expect, it } from 'vitest';
import { createMatches, matchedWords } from '../../../src/row/matches.ts';
import { judge, type Row, type Status } from '../../../src/row/row.ts';
import { parseRules } from '../../../src/row/rules.ts';
import { document } from '../output/rows.ts';

const RULES = ['low: defi_score.score < 400', 'errors exists'];

const answered = (text: string): Row => ({
  line: 1,
  input: 'x',
  wallet: '0x1',
  document: document(text),
  ...judge(document(text)),
});
const unanswered = (status: Status): Row => ({ line: 2, input: 'x', status });

function judged(row: Row, { accept = [], rules = RULES }: { accept?: Status[]; rules?: string[] } = {}) {
  return createMatches({ rules: parseRules(rules), accept: new Set(accept) }).judge(row).matched;
}

describe('what a row has matched', () => {
  it('are the names of all rules that hold, or of which nobody can tell', () => {
    expect(judged(answered('{"defi_score":{"score":500}}'))).toEqual([]);
    expect(judged(answered('{"defi_score":{"score":500},"errors":{}}'))).toEqual([]);
    expect(judged(answered('{"defi_score":{"score":500},"errors":{"x":"y"}}'))).toEqual(['errors exists']);
    expect(judged(answered('{"defi_score":null,"errors":{"x":"y"}}'))).toEqual(['low', 'errors exists']);
  });

  it('are all rules without an answer, but none for an accepted status', () => {
    for (const status of ['invalid', 'failed', 'pending'] as const) {
      expect(judged(unanswered(status))).toEqual(['low', 'errors exists']);
      expect(judged(unanswered(status), { accept: [status] })).toEqual([]);
    }
    expect(judged(answered('{"defi_score":null}'), { accept: ['no_score'] })).toEqual([]);
  });

  it('is not said where there are no rules', () => {
    expect(judged(unanswered('failed'), { rules: [] })).toBeUndefined();
  });

  it('may depend on what the row adds', () => {
    const rules = ['_meta.status == no_score', '_meta.score > 400', '_meta.warning exists', '_meta.line == 1'];
    expect(judged(answered('{}'), { rules })).toEqual([
      '_meta.status == no_score',
      '_meta.score > 400',
      '_meta.line == 1',
    ]);
    expect(judged(answered('{"defi_score":{"score":500},"errors":["x"]}'), { rules })).toEqual([
      '_meta.score > 400',
      '_meta.warning exists',
      '_meta.line == 1',
    ]);
  });
});

describe('matchedWords', () => {
  const low = answered('{"defi_score":{"score":1}}');
  const broken = answered('{"defi_score":{"score":500},"errors":["x"]}');
  const words = (...rows: Row[]) => {
    const matches = createMatches({ rules: parseRules(RULES), accept: new Set() });
    for (const row of rows) matches.judge(row);
    return [matchedWords(matches), ...matches.byRule.map(({ rows }) => rows)];
  };

  it('names the rule where that is clear', () => {
    expect(words(low)).toEqual(["--fail-if 'low' matched 0x1 in line 1", 1, 0]);
    expect(words(low, low)).toEqual(["--fail-if 'low' matched 2 rows, the first in line 1", 2, 0]);
    expect(words(low, broken)).toEqual(['--fail-if matched 2 rows, the first in line 1', 1, 1]);
    expect(words(unanswered('invalid'))).toEqual(["--fail-if 'low' matched line 2", 1, 1]);
  });
});
