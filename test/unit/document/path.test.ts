import { expect, it } from 'vitest';
import type { ObjectNode } from '../../../src/document/node.ts';
import { parseDocument } from '../../../src/document/parse.ts';
import { parsePath } from '../../../src/document/parse-path.ts';
import { formatPath, leaves, lookup, memberOf } from '../../../src/document/path.ts';
import { writeCompact } from '../../../src/document/write.ts';
import { UsageError } from '../../../src/errors.ts';
import { anyText, fc } from '../../fixtures/properties.ts';
import { documents } from './documents.ts';

it.each([
  ['a', ['a']],
  ['a.b.c', ['a', 'b', 'c']],
  ['a[0][12].b', ['a', 0, 12, 'b']],
  ['a["c.d"]', ['a', 'c.d']],
  ['["a.b"].c', ['a.b', 'c']],
  ['["a\\"]\\u0041"]', ['a"]A']],
  ['[0]', [0]],
  ['chains.137', ['chains', '137']],
  ['X:Ethereum.risk level', ['X:Ethereum', 'risk level']],
  ['__proto__.constructor', ['__proto__', 'constructor']],
  ['[""]', ['']],
])('reads the path %s', (text, path) => expect(parsePath(text)).toEqual(path));

it.each([
  ...['', '.', '.a', 'a.', 'a..b', 'a[', 'a[]', 'a[x]', 'a[-1]', 'a[1.5]', "a['b']", 'a["b]', 'a["\\x"]'],
  ...['a]', 'a[0]b', 'a.[0]', 'a,b', 'a=b', 'a"b"'],
])('refuses the path %j', (text) => expect(() => parsePath(text)).toThrow(UsageError));

it('reports the position of an error in a path', () => {
  expect(() => parsePath('a.b..c')).toThrow("'a.b..c' is not a path (see character 4)");
  expect(() => parsePath(`${'a'.repeat(100_000)}]`)).toThrow(/^.{0,140}$/);
});

it('quotes keys of a path with special or invisible characters', () => {
  expect(formatPath(['a', 'b.c', 0, 'X:Ethereum', 'risk level', '', 'safe?', '*', ' b', 'x\u202ey'])).toBe(
    'a["b.c"][0].X:Ethereum.risk level[""]["safe?"]["*"][" b"]["x\\u202ey"]',
  );
});

it('reads back any path that it formats', () => {
  const steps = fc.oneof(fc.nat(), anyText(), fc.string({ unit: fc.constantFrom(...'.[]",=?*<>! \\a1\n') }));
  fc.assert(
    fc.property(fc.array(steps, { minLength: 1 }), (path) => {
      expect(parsePath(formatPath(path))).toEqual(path);
    }),
  );
});

const document = parseDocument('{"a":{"b":[1,{"c.d":"x"}],"b2":null},"k":1,"k":2,"__proto__":3}');
const found = (path: string) => {
  const node = lookup(document, parsePath(path));
  return node && writeCompact(node);
};

it('finds the last of two members with one key', () => {
  expect(found('k')).toBe('2');
  expect(memberOf(document as ObjectNode, 'k')).toEqual({ kind: 'number', spelling: '2' });
});

it('finds nothing inside scalars, beyond arrays, or in inherited properties', () => {
  for (const path of ['x', 'a.b[2]', 'a.b.c', 'a.b["0"]', 'a[0]', 'k.x', 'toString', 'a.constructor', 'a.b.length']) {
    expect(found(path)).toBeUndefined();
  }
});

it('lists every scalar and every empty container in order', () => {
  const document = parseDocument('{"b":[1,[],{"c":null}],"a":{},"1":"x","b":true}');
  expect([...leaves(document)].map(({ path, node }) => `${path} ${writeCompact(node)}`)).toEqual([
    'b[0] 1',
    'b[1] []',
    'b[2].c null',
    'a {}',
    '1 "x"',
    'b true',
  ]);
});

it('lists paths that lead back to the value, unless a key is duplicated', () => {
  fc.assert(
    fc.property(documents.map(withoutDuplicates), (document) => {
      fc.pre(document.kind === 'object' || document.kind === 'array');
      for (const { path, node } of leaves(document)) {
        if (path !== '') expect(lookup(document, parsePath(path))).toBe(node);
      }
    }),
  );
});

it('lists the leaves of a document of any depth', () => {
  const deep = parseDocument(`${'{"a":'.repeat(1_000)}1${'}'.repeat(1_000)}`);
  expect([...leaves(deep)].map(({ path }) => path)).toEqual([Array(1_000).fill('a').join('.')]);
});

function withoutDuplicates(node: ReturnType<typeof parseDocument>): ReturnType<typeof parseDocument> {
  if (node.kind === 'array') return { kind: 'array', items: node.items.map(withoutDuplicates) };
  if (node.kind !== 'object') return node;
  return { kind: 'object', members: [...new Map(node.members)].map(([key, value]) => [key, withoutDuplicates(value)]) };
}
