import { expect, it } from 'vitest';
import { classify, type Row, type Status } from '../../../src/row/row.ts';
import { type Level, ruleNamesIn } from '../../../src/row/verdict.ts';
import { ExceptionIndex, judgeRow } from '../../../src/rules/judge.ts';
import { countsWords, isAnyCounted, RuleCounts } from '../../../src/rules/rule-counts.ts';
import { parseRules, type Rule } from '../../../src/rules/rules.ts';
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
  const judging = { rules: parseRules(rules), accept: new Set(accept) };
  const found = { verdicts: judgeRow(row, judging) };
  return { matched: ruleNamesIn(found, 'matched'), unjudged: ruleNamesIn(found, 'unjudged') };
}

it.each([
  ['{"defi_score":{"score":500}}', [], []],
  ['{"defi_score":{"score":500},"errors":{}}', [], []],
  ['{"defi_score":{"score":300},"errors":{"x":"y"}}', RULE_NAMES, []],
  ['{"defi_score":null,"errors":{"x":"y"}}', ['errors exists'], ['low']],
])('lists for %s the rules that match, and separately those that cannot be judged', (text, matched, unjudged) => {
  expect(judged(answered(text))).toEqual({ matched, unjudged });
});

it('lists all rules as unjudged without an answer, and none for an accepted status', () => {
  for (const status of ['invalid', 'failed', 'pending'] as const) {
    expect(judged(unanswered(status))).toEqual({ matched: [], unjudged: RULE_NAMES });
    expect(judged(unanswered(status), { accept: [status] })).toEqual({ matched: [], unjudged: [] });
  }
  expect(judged(answered('{"defi_score":null}'), { accept: ['no_score'] })).toEqual({ matched: [], unjudged: [] });
});

it('lists the rules that match a row without an answer by its other fields', () => {
  const rules = ['bad: _meta.status == failed', 'good: _meta.status == scored'];
  expect(judged(unanswered('failed'), { rules })).toEqual({ matched: ['bad'], unjudged: ['good'] });
});

const matching = answered('{"defi_score":{"score":1}}');
const broken = answered('{"defi_score":{"score":500},"errors":["x"]}');
const unscored = answered('{"defi_score":null}');
const words = (...rows: Row[]) => {
  const judging = { rules: parseRules(RULES), accept: new Set<string>() };
  const counts = new RuleCounts<Row>(judging.rules);
  for (const row of rows) counts.add(row, judgeRow(row, judging));
  const first = ({ wallet = 'none', line }: Row) => `first ${wallet} in line ${line}`;
  return countsWords(counts, first);
};

it('names the rule that matched if there is only one', () => {
  expect(words(matching)).toBe("--fail-if 'low': matched 1, first 0x1 in line 1");
  expect(words(matching, matching)).toBe("--fail-if 'low': matched 2, first 0x1 in line 1");
  expect(words(matching, broken)).toBe('--fail-if: matched 2, first 0x1 in line 1');
});

it('counts unjudged rows separately from matched ones', () => {
  expect(words(unanswered('invalid'))).toBe("--fail-if 'low': not judged 1, first none in line 2");
  expect(words(unscored, unscored)).toBe("--fail-if 'low': not judged 2, first 0x1 in line 1");
  expect(words(unscored, matching, unanswered('failed'), matching)).toBe(
    "--fail-if 'low': matched 2, not judged 2, first 0x1 in line 1",
  );
});

const ALARM = { matched: ['alarm'], alarms: 1 };
const WATCH = { watched: ['watch'], watch: 1 };
const BOTH = { watch: 1, alarms: 1 };
const WALLET = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';
const low = { ...answered('{"defi_score":{"score":1}}'), wallet: WALLET };
const unknown = { ...answered('{"defi_score":null}'), wallet: WALLET };
const rule = (name: string, level: Level): Rule => ({
  ...parseRules([`${name}: score < 400`])[0]!,
  source: '--policy',
  level,
});
const [alarm, watch] = [rule('alarm', 'alarm'), rule('watch', 'watch')];
const raised = { ...watch, level: 'alarm' as const };
const high = { ...alarm, when: parseRules(['score > 400'])[0]!.when };
const known = { wallet: WALLET, id: WALLET.toLowerCase(), reason: 'r', until: undefined, endsAt: undefined };

interface Case {
  readonly rows: Row[];
  readonly rules: Rule[];
  /** The rule that the wallet is excused from. */
  readonly excuse?: string;
  readonly accept?: Status;
}

it.each<[string, Case, object]>([
  ['holds', { rows: [low], rules: [watch] }, { watched: ['watch'], watch: 1 }],
  ['cannot be judged', { rows: [unknown], rules: [watch] }, { unjudged: ['watch'], watch: 1 }],
  ['has no answer to judge', { rows: [unanswered('failed')], rules: [watch] }, { unjudged: ['watch'], watch: 1 }],
  ['is raised to an alarm', { rows: [low], rules: [raised] }, { matched: ['watch'], alarms: 1 }],
  ['holds as an alarm', { rows: [low], rules: [watch, alarm] }, { ...BOTH, matched: ['alarm'], watched: ['watch'] }],
  ['is open as an alarm is', { rows: [unknown], rules: [watch, alarm] }, { ...BOTH, unjudged: ['watch', 'alarm'] }],
  ['is excused', { rows: [low], rules: [watch, alarm], excuse: 'watch' }, { ...ALARM, excused: ['watch'] }],
  ['is beside an excuse', { rows: [low], rules: [watch, alarm], excuse: 'alarm' }, { ...WATCH, excused: ['alarm'] }],
  ['is of an accepted status', { rows: [low], rules: [watch], accept: 'scored' }, {}],
  [
    'holds for one row beside one that an alarm cannot judge',
    { rows: [low, unknown], rules: [watch, high] },
    { ...BOTH, unjudged: ['watch', 'alarm'] },
  ],
])('raises no alarm by a watch rule that %s, and hides none', (_, { rows, rules, excuse, accept }, expected) => {
  const exceptions = excuse === undefined ? undefined : new ExceptionIndex([{ ...known, rule: excuse }], 0);
  const judging = { rules, accept: new Set(accept ? [accept] : []), exceptions };
  const counts = new RuleCounts<Row>(rules);
  const verdicts = rows.map((row) => judgeRow(row, judging));
  for (const [i, verdict] of verdicts.entries()) counts.add(rows[i]!, verdict);
  const last = { verdicts: verdicts.at(-1)! };
  expect({
    matched: ruleNamesIn(last, 'matched'),
    watched: ruleNamesIn(last, 'watched'),
    unjudged: ruleNamesIn(last, 'unjudged'),
    excused: ruleNamesIn(last, 'excused'),
    watch: counts.watch.matched.rows || counts.watch.unjudged.rows,
    alarms: counts.matched.rows + counts.unjudged.rows,
  }).toEqual({ matched: [], watched: [], unjudged: [], excused: [], watch: 0, alarms: 0, ...expected });
  expect(isAnyCounted(counts)).toBe('alarms' in expected);
});
