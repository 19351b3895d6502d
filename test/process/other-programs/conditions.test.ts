/** Conditions, held against jq's reading of the same documents: another parser, other numbers, another notion of a path. */
import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { parseDocument } from '../../../src/document/parse.ts';
import { formatPath, lookup } from '../../../src/document/path.ts';
import { evaluate, parseCondition } from '../../../src/row/conditions.ts';
import { installed } from '../../fixtures/process/installed.ts';
import { fc } from '../../fixtures/properties.ts';

/** A case a line; what a line makes of it, true, false or null for what cannot be told, is a line as well. */
const PROGRAM = String.raw`
  def missing: . == null or . == [] or . == {} or (type == "string" and test("^\\s*$"));
  def number: if type == "number" then . elif type == "string" then (tonumber? // null) else null end;
  def compare($op; $value):
    if $op == "<" then . < $value elif $op == "<=" then . <= $value elif $op == ">" then . > $value
    elif $op == ">=" then . >= $value elif $op == "==" then . == $value else . != $value end;
  . as {$document, $path, $op, $value}
  | ($document | try getpath($path) catch null)
  | if $op == "missing" then missing
    elif $op == "exists" then missing | not
    elif missing then null
    elif ($value | type) == "number" then number | if . == null then null else compare($op; $value) end
    elif type != ($value | type) then null
    else compare($op; $value) end`;

function askJq(cases: readonly Case[]): unknown[] {
  const input = cases.map(
    ({ document, path, op, value }) =>
      `{"document":${document},"path":${JSON.stringify(path)},"op":"${op}","value":${value}}\n`,
  );
  const { stdout, stderr } = spawnSync('jq', ['-c', PROGRAM], { input: input.join(''), encoding: 'utf8' });
  expect(stderr).toBe('');
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

interface Case {
  /** JSON text. */
  readonly document: string;
  readonly path: readonly (string | number)[];
  readonly op: string;
  /** JSON text. */
  readonly value: string;
}

/** Numbers that a double holds, in several spellings, often equal ones. */
const numbers = fc
  .tuple(fc.oneof(fc.integer({ min: -4, max: 4 }), fc.integer()), fc.constantFrom(1, 2, 1_024), fc.nat({ max: 3 }))
  .map(([over, under, spelling]) => {
    const number = over / under;
    return [String(number), number.toFixed(12), number.toExponential(), `${number}e0`][spelling] ?? '';
  });
const words = fc.constantFrom('"high"', '"High Risk"', '"5 apples"', '" "', '""', '"1,000"', '"true"');
const scalars = fc.oneof(
  { weight: 3, arbitrary: numbers },
  numbers.map((number) => `"${number}"`),
  words,
  fc.constantFrom('null', 'true', 'false'),
);
const keys = fc.constantFrom('a', 'b', 'a.b', '__proto__');
const { node } = fc.letrec<{ node: string; object: string }>((tie) => ({
  node: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    scalars,
    fc.array(tie('node'), { maxLength: 3 }).map((items) => `[${items.join(',')}]`),
    tie('object'),
  ),
  object: fc
    .array(fc.tuple(keys, tie('node')), { maxLength: 4 })
    .map((members) => `{${members.map(([key, value]) => `${JSON.stringify(key)}:${value}`).join(',')}}`),
}));
/** Most paths lead to something: there is nearly always a scalar at `a`. */
const objects = fc
  .tuple(scalars, fc.array(fc.tuple(keys, node), { maxLength: 3 }))
  .map(([a, members]) => `{"a":${a}${members.map(([key, value]) => `,${JSON.stringify(key)}:${value}`).join('')}}`);
const paths = fc.oneof(
  { weight: 3, arbitrary: fc.constant(['a']) },
  fc
    .tuple(keys, fc.array(fc.oneof(keys, fc.nat({ max: 2 })), { maxLength: 2 }))
    .map(([key, more]): Case['path'] => [key, ...more]),
);
const orders = fc.record({
  op: fc.constantFrom('<', '<=', '>', '>=', '==', '!='),
  value: numbers,
});
const equalities = fc.record({
  op: fc.constantFrom('==', '!='),
  value: fc.constantFrom('"high"', '"High Risk"', '"5 apples"', 'true', 'false'),
});
const existence = fc.record({ op: fc.constantFrom('exists', 'missing'), value: fc.constant('null') });
const cases: fc.Arbitrary<Case> = fc
  .tuple(objects, paths, fc.oneof({ weight: 3, arbitrary: orders }, equalities, existence))
  .map(([document, path, asked]) => ({ document, path, ...asked }));

function ask({ document, path, op, value }: Case): boolean | null {
  const isValue = op !== 'exists' && op !== 'missing';
  const condition = parseCondition(`${formatPath(path)} ${op}${isValue ? ` ${value}` : ''}`);
  const root = parseDocument(document);
  return evaluate(condition, (found) => lookup(root, found)) ?? null;
}

describe('conditions', () => {
  it.skipIf(!installed('jq'))('are judged as jq judges them, for numbers that doubles hold', () => {
    const seen = new Set<unknown>();
    fc.assert(
      fc.property(fc.array(cases, { minLength: 2_000, maxLength: 2_000 }), (asked) => {
        const answers = asked.map(ask);
        expect(answers).toEqual(askJq(asked));
        for (const answer of answers) seen.add(answer);
      }),
      { numRuns: 1, endOnFailure: true },
    );
    expect(seen).toEqual(new Set([true, false, null]));
  });
});
