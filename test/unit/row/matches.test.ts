import { describe, expect, it } from 'vitest';
import { createMatches, matchedSummary } from '../../../src/row/matches.ts';
import { classify, type Row, type Status } from '../../../src/row/row.ts';
import { parseRules } from '../../../src/row/rules.ts';
import { document } from '../output/rows.ts';

const RULES = ['low: defi_score.score < 400', 'errors exists'];
const RULE_NAMES = ['low', 'errors exists'];

const answered = (text: string): Row => ({
  line: 1,
  input: 'x',
  wallet: '0x1',
  document: document(text),
  ...classify(document(text)),
});
const unanswered = (status: Status): Row => ({ line: 2, input: 'x', status });

function judged(row: Row, { accept = [], rules = RULES }: { accept?: Status[]; rules?: string[] } = {}) {
  const { matched, unjudged } = createMatches({ rules: parseRules(rules), accept: new Set(accept) }).evaluate(row);
  return { matched, unjudged };
}

describe('the verdict on a row', () => {
  it('has the names of matched rules, and separately of those that could not be judged', () => {
    expect(judged(answered('{"defi_score":{"score":500}}'))).toEqual({ matched: [], unjudged: [] });
    expect(judged(answered('{"defi_score":{"score":500},"errors":{}}'))).toEqual({ matched: [], unjudged: [] });
    expect(judged(answered('{"defi_score":{"score":300},"errors":{"x":"y"}}'))).toEqual({
      matched: RULE_NAMES,
      unjudged: [],
    });
    expect(judged(answered('{"defi_score":null,"errors":{"x":"y"}}'))).toEqual({
      matched: ['errors exists'],
      unjudged: ['low'],
    });
  });

  it('has all rules as unjudged without an answer, and none for an accepted status', () => {
    for (const status of ['invalid', 'failed', 'pending'] as const) {
      expect(judged(unanswered(status))).toEqual({ matched: [], unjudged: RULE_NAMES });
      expect(judged(unanswered(status), { accept: [status] })).toEqual({ matched: [], unjudged: [] });
    }
    expect(judged(answered('{"defi_score":null}'), { accept: ['no_score'] })).toEqual({ matched: [], unjudged: [] });
  });

  it('has the rules that match a row without an answer by its other fields', () => {
    const rules = ['bad: _meta.status == failed', 'good: _meta.status == scored'];
    expect(judged(unanswered('failed'), { rules })).toEqual({ matched: ['bad'], unjudged: ['good'] });
  });

  it('is empty without rules', () => {
    expect(judged(unanswered('failed'), { rules: [] })).toEqual({ matched: undefined, unjudged: undefined });
  });

  it('may depend on fields that riskcli adds', () => {
    const rules = ['_meta.status == no_score', '_meta.score > 400', '_meta.warning exists', '_meta.line == 1'];
    expect(judged(answered('{}'), { rules })).toEqual({
      matched: ['_meta.status == no_score', '_meta.line == 1'],
      unjudged: ['_meta.score > 400'],
    });
    expect(judged(answered('{"defi_score":{"score":500},"errors":["x"]}'), { rules })).toEqual({
      matched: ['_meta.score > 400', '_meta.warning exists', '_meta.line == 1'],
      unjudged: [],
    });
  });
});

describe('matchedWords', () => {
  const low = answered('{"defi_score":{"score":1}}');
  const broken = answered('{"defi_score":{"score":500},"errors":["x"]}');
  const unknown = answered('{"defi_score":null}');
  const words = (...rows: Row[]) => {
    const matches = createMatches({ rules: parseRules(RULES), accept: new Set() });
    for (const row of rows) matches.evaluate(row);
    return [matchedSummary(matches), ...matches.counts.byRule.map(({ rows, unjudged }) => [rows, unjudged])];
  };

  it('names the rule if there is only one', () => {
    expect(words(low)).toEqual(["--fail-if 'low': matched 1, first 0x1 in line 1", [1, 0], [0, 0]]);
    expect(words(low, low)).toEqual(["--fail-if 'low': matched 2, first 0x1 in line 1", [2, 0], [0, 0]]);
    expect(words(low, broken)).toEqual(['--fail-if: matched 2, first 0x1 in line 1', [1, 0], [1, 0]]);
  });

  it('counts unjudged rows separately from matched ones', () => {
    expect(words(unanswered('invalid'))).toEqual(["--fail-if 'low': not judged 1, first in line 2", [0, 1], [0, 1]]);
    expect(words(unknown, unknown)).toEqual(["--fail-if 'low': not judged 2, first 0x1 in line 1", [0, 2], [0, 0]]);
    expect(words(unknown, low, unanswered('failed'), low)).toEqual([
      "--fail-if 'low': matched 2, not judged 2, first 0x1 in line 1",
      [2, 2],
      [0, 1],
    ]);
  });
});
