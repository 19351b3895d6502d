import { expect, it } from 'vitest';
import { UsageError } from '../../../src/errors.ts';
import { parseFieldsFlag } from '../../../src/paths/fields.ts';
import { classify, type Row } from '../../../src/row/row.ts';
import { ruleNamesIn, verdictsIn } from '../../../src/row/verdict.ts';
import { parsePolicy } from '../../../src/rules/policy.ts';
import { RowJudge } from '../../../src/rules/row-judge.ts';
import { fc } from '../../fixtures/properties.ts';
import { document, WALLET } from '../output/rows.ts';

const NOON = Date.parse('2026-06-15T12:00:00Z');
const options = { file: 'policy.json', wallets: { checksum: true } } as const;

const OTHER = '0x8ba1f109551bD432803012645Ac136ddd64DBA72';
const CAPITALS = `0x${WALLET.slice(2).toUpperCase()}`;
/** An answer for which both rules hold. */
const BOTH = '{"x":1,"defi_score":{"score":1}}';

const RULE = { name: 'low', if: '_meta.score < 400' };
const EXCEPTION = { wallet: WALLET, rule: 'low', reason: 'known' };
const read = (policy: unknown) => parsePolicy(JSON.stringify(policy), options);

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

it('reads rules, nested ones too, and exceptions', () => {
  const nested = { all: ['a < 1', { any: ['b exists', 'c missing'] }] };
  const policy = read({
    rules: [
      { ...RULE, note: 'ask' },
      { name: 'b', if: nested, level: 'watch' },
    ],
    exceptions: [{ ...EXCEPTION, until: '2026-06-15' }],
  });
  expect(policy.rules).toMatchObject([
    { source: '--policy', name: 'low', when: { text: '_meta.score < 400' }, note: 'ask', level: 'alarm' },
    {
      name: 'b',
      level: 'watch',
      when: { all: [{ text: 'a < 1' }, { any: [{ text: 'b exists' }, { text: 'c missing' }] }] },
    },
  ]);
  expect(policy.exceptions).toEqual([
    {
      wallet: WALLET,
      id: WALLET.toLowerCase(),
      rule: 'low',
      reason: 'known',
      until: '2026-06-15',
      endsAt: Date.UTC(2026, 5, 16),
    },
  ]);
  expect(read({ rules: [RULE] }).exceptions).toEqual([]);
  expect(read({ $schema: 'https://example.com/policy.json', rules: [RULE] })).toEqual(read({ rules: [RULE] }));
});

it.each([
  ['', 'it is not JSON'],
  ['{"rules": [', 'it is not JSON'],
  ['{"rules": [],}', 'it is not JSON: property name expected (line 1, column 14)'],
  ['{"rules": [] // none\n}', 'it is not JSON: invalid comment token (line 1, column 14)'],
  ['\u00a0{"rules": []}', 'it is not JSON: invalid symbol'],
  ['['.repeat(2_000), 'it is not JSON'],
  ['['.repeat(500_000), 'it is not JSON: nesting deeper than 1000'],
  [`${'['.repeat(2_000)}${']'.repeat(2_000)}`, 'it is not JSON: nesting deeper than 1000'],
  ['{"$schema": 1, "rules": []}', '$schema is not text'],
  ['[]', 'it is not an object'],
  ['null', 'it is not an object'],
  ['{}', 'rules is missing'],
  ['{"rules": []}', 'rules is empty'],
  ['{"rules": {}}', 'rules is not an array'],
  ['{"rules": [{"name": "a", "if": "x < 1"}], "rules": []}', "it has the key 'rules' twice"],
  ['{"rules": [{"name": "a", "if": "x < 1", "if": "x < 2"}]}', "rules[0] has the key 'if' twice"],
  ['{"rules": [{"name": "a", "if": "x < 1", "__proto__": 1}]}', "rules[0] has the unknown key '__proto__'"],
  ['{"rules": [{"name": "a", "if": "x < 1", "unless": 1}]}', "rules[0] has the unknown key 'unless'"],
  ['{"rules": [{"name": "a", "if": "x < 1"}], "exeptions": []}', "it has the unknown key 'exeptions'"],
  ['{"rules": [{"name": "a", "when": "x < 1"}]}', "rules[0] has the unknown key 'when'"],
  ['{"rules": [{"if": "x < 1"}]}', 'rules[0].name is missing'],
  ['{"rules": [{"name": "", "if": "x < 1"}]}', 'rules[0].name is not a name'],
  ['{"rules": [{"name": "a;b", "if": "x < 1"}]}', 'rules[0].name is not a name'],
  ['{"rules": [{"name": 1, "if": "x < 1"}]}', 'rules[0].name is not text'],
  [`{"rules": [{"name": "${'ab'.repeat(32)}", "if": "x < 1"}]}`, 'rules[0].name is not a name: it may be a key'],
  ['{"rules": [{"name": "a"}]}', 'rules[0].if is missing'],
  ['{"rules": [{"name": "a", "if": "x"}]}', "rules[0].if cannot be read: the condition 'x' has no operator"],
  ['{"rules": [{"name": "a", "if": "x: y < 1 < 2"}]}', 'rules[0].if cannot be read'],
  ['{"rules": [{"name": "a", "if": {"all": []}}]}', 'rules[0].if is neither a condition nor'],
  ['{"rules": [{"name": "a", "if": {"all": ["x < 1"], "any": ["y < 1"]}}]}', 'rules[0].if is neither a condition nor'],
  ['{"rules": [{"name": "a", "if": {"not": ["x < 1"]}}]}', 'rules[0].if is neither a condition nor'],
  ['{"rules": [{"name": "a", "if": {"all": ["x < 1", {"any": [1]}]}}]}', 'rules[0].if.all[1].any[0] is neither'],
  ['{"rules": [{"name": "a", "if": {"any": ["x < 1", "y"]}}]}', 'rules[0].if.any[1] cannot be read'],
  ['{"rules": [{"name": "a", "if": "_meta.matched exists"}]}', 'asks for what the conditions decide'],
  ['{"rules": [{"name": "a", "if": "x < 1", "note": " "}]}', 'rules[0].note says nothing'],
  ['{"rules": [{"name": "a", "if": "x < 1", "level": "warn"}]}', "rules[0].level is not 'alarm' or 'watch'"],
  ['{"rules": [{"name": "a", "if": "x < 1", "level": null}]}', "rules[0].level is not 'alarm' or 'watch'"],
  ['{"rules": [{"name": "a", "if": "x < 1"}, {"name": "a", "if": "x < 2"}]}', "two conditions are called 'a'"],
])('refuses the policy %s', (text, problem) => {
  expect(() => parsePolicy(text, options)).toThrow(UsageError);
  expect(() => parsePolicy(text, options)).toThrow("the policy 'policy.json' cannot be used: ");
  expect(() => parsePolicy(text, options)).toThrow(problem);
});

it.each([
  [{ wallet: '0x12' }, 'exceptions[0].wallet is not a wallet: '],
  [{ wallet: WALLET.replace('d8dA', 'D8dA') }, 'exceptions[0].wallet is not a wallet: its EIP-55 checksum'],
  [{ wallet: `0x${'ab'.repeat(32)}` }, 'exceptions[0].wallet is not a wallet: it may be a private key'],
  [{ rule: 'Low' }, "exceptions[0].rule names no rule of the policy: 'Low'"],
  [{ reason: ' ' }, 'exceptions[0].reason says nothing'],
  [{ reason: undefined }, 'exceptions[0].reason is missing'],
  [{ until: '2026-02-30' }, 'exceptions[0].until is not a date'],
  [{ until: '2026-06-15T00:00:00Z' }, 'exceptions[0].until is not a date'],
  [{ until: '' }, 'exceptions[0].until is not a date'],
  [{ until: null }, 'exceptions[0].until is not text'],
  [{ from: '2026-06-15' }, "exceptions[0] has the unknown key 'from'"],
])('refuses an exception with %j', (more, problem) => {
  expect(() => read({ rules: [RULE], exceptions: [{ ...EXCEPTION, ...more }] })).toThrow(problem);
});

it('refuses two exceptions for one wallet and rule, regardless of spelling', () => {
  const exceptions = [EXCEPTION, { ...EXCEPTION, wallet: WALLET.toLowerCase(), until: '2030-01-01' }];
  expect(() => read({ rules: [RULE], exceptions })).toThrow(
    'exceptions[1] is for the same wallet and rule as exceptions[0]',
  );
});

it('never repeats a possible private key of a policy', () => {
  const secret = 'ab'.repeat(32);
  const policy = read({
    rules: [{ ...RULE, note: secret }],
    exceptions: [{ ...EXCEPTION, reason: `see ${secret}` }],
  });
  expect(JSON.stringify(policy)).not.toContain(secret);
  for (const broken of [
    { rules: [{ name: 'a', if: secret }] },
    { rules: [{ ...RULE, name: secret }] },
    { [secret]: 1 },
  ]) {
    expect(() => read(broken)).toThrow(expect.objectContaining({ message: expect.not.stringContaining(secret) }));
  }
});

it('reads or refuses any input without crashing, and knows what is JSON', () => {
  const broken = fc.tuple(fc.json(), fc.nat(), fc.constantFrom('', ',', '"', '\\', '0', '\t', '/**/', '\u2028'));
  const text = fc.oneof(
    fc.string(),
    fc.json(),
    broken.map(([json, at, piece]) => json.slice(0, at % json.length) + piece + json.slice((at % json.length) + 1)),
    fc.constantFrom(
      '['.repeat(2_000),
      `{"rules":[{"name":"a","if":${'{"all":['.repeat(400)}"x < 1"${']}'.repeat(400)}}]}`,
    ),
  );
  fc.assert(
    fc.property(text, (policy) => {
      try {
        parsePolicy(policy, options);
      } catch (error) {
        expect(error).toBeInstanceOf(UsageError);
        expect((error as Error).message.includes('it is not JSON'), policy).toBe(!isJson(policy));
      }
    }),
  );
});

const row = (wallet: string, text = '{"defi_score":{"score":1}}'): Row => ({
  line: 1,
  input: wallet,
  wallet,
  document: document(text),
  ...classify(document(text)),
});
const judged = (one: Row, exception: object, now = NOON) => {
  const policy = read({
    rules: [RULE, { name: 'other', if: 'x exists' }],
    exceptions: [{ ...EXCEPTION, ...exception }],
  });
  const options = { ...policy, started: now, accept: new Set<never>(), selection: parseFieldsFlag([]), shape: {} };
  const notes: string[] = [];
  const rows = new RowJudge(options, { now: () => 0, report: { info: (note: string) => notes.push(note) } } as never);
  const row = rows.judge(one);
  rows.reportOnRules();
  return {
    matched: ruleNamesIn(row, 'matched'),
    excused: verdictsIn(row, 'excused').map(({ rule, excused }) => ({ rule, ...excused })),
    count: rows.counts.matched.rows + rows.counts.unjudged.rows,
    unjudged: ruleNamesIn(row, 'unjudged').length,
    unused: notes.filter((note) => note.startsWith('exceptions without effect')).length,
  };
};

const EXCUSED = [{ rule: 'low', reason: 'known', until: undefined }];
const NOTHING = { matched: [], excused: [], count: 0, unjudged: 0, unused: 0 };
const failed: Row = { line: 1, input: WALLET, wallet: WALLET, status: 'failed' };

it.each<[string, Row, object, object]>([
  ['its wallet', row(WALLET), {}, { excused: EXCUSED }],
  ['its wallet in small letters', row(WALLET.toLowerCase()), {}, { excused: EXCUSED }],
  ['its wallet in capitals', row(CAPITALS), { wallet: WALLET.toLowerCase() }, { excused: EXCUSED }],
  ['its wallet without an answer', failed, {}, { excused: EXCUSED, count: 1, unjudged: 1 }],
  ['no other wallet', row(OTHER), {}, { matched: ['low'], count: 1, unused: 1 }],
  ['from no other rule', row(WALLET, BOTH), {}, { matched: ['other'], excused: EXCUSED, count: 1 }],
  ['nobody from a rule that does not hold', row(WALLET, '{"defi_score":{"score":500}}'), {}, { unused: 1 }],
])('excuses with an exception %s', (_, one, exception, expected) => {
  expect(judged(one, exception)).toEqual({ ...NOTHING, ...expected });
});

it.each([
  ['2026-06-15T00:00:00Z', 0],
  ['2026-06-15T23:59:59.999Z', 0],
  ['2026-06-16T00:00:00Z', 1],
])('applies an exception until 15 June on all of that day in UTC: at %s', (now, count) => {
  const { unused, ...found } = judged(row(WALLET), { until: '2026-06-15' }, Date.parse(now));
  expect(found.count).toBe(count);
  expect(unused).toBe(0);
});

it('reports a mistake in a policy with its line and column', () => {
  const text = `{"rules": [
  {"name": "a", "if": "score < 400"},
  {"name": "b", "iff": {"all": ["x > 1", "y = 1"]}}
]}`;
  const fault = (policy: string) => {
    try {
      return parsePolicy(policy, options);
    } catch (error) {
      return (error as Error).message;
    }
  };
  expect(fault(text)).toMatch(/: rules\[1\] has the unknown key 'iff' \(line 3, column 24\)$/);
  expect(fault(text.replace('iff', 'if'))).toMatch(
    /: rules\[1\]\.if\.all\[1\] cannot be read: .* \(line 3, column 41\)$/,
  );
  expect(fault(text.replace('"b", "iff"', '"b" "iff"'))).toMatch(
    /: it is not JSON: comma expected \(line 3, column 16\)$/,
  );
  expect(fault(text.replace('iff', 'name'))).toMatch(/: rules\[1\] has the key 'name' twice \(line 3, column 17\)$/);
  expect(fault('{"rules": [{"name": "a"}]}')).toMatch(/: rules\[0\]\.if is missing \(line 1, column 12\)$/);
});
