import { expect, it } from 'vitest';
import { type WrittenException, withException, withoutException } from '../../../src/rules/exception-edit.ts';
import { fc } from '../../fixtures/properties.ts';

const NEW = { wallet: '0xabc', rule: 'low', reason: 'said "yes"', until: '2026-12-31' };
const ONE_LINE = '{"wallet": "0xabc", "rule": "low", "reason": "said \\"yes\\"", "until": "2026-12-31"}';

it.each([
  [
    'behind the last, as that is laid out',
    '{\n  "exceptions": [\n    {"a": 1},\n    {"b":   2}\n  ], "rules": [ ]}',
    `{\n  "exceptions": [\n    {"a": 1},\n    {"b":   2},\n    ${ONE_LINE}\n  ], "rules": [ ]}`,
  ],
  [
    'with the spaces in its braces that the last one has',
    '{"exceptions": [{ "a": 1 }]}',
    `{"exceptions": [{ "a": 1 },${ONE_LINE.replace('{', '{ ').replace('}', ' }')}]}`,
  ],
  [
    'over several lines, where the last one is',
    '{"exceptions": [\n\t{\n\t\t"a": 1\n\t}\n]}\n',
    '{"exceptions": [\n\t{\n\t\t"a": 1\n\t},\n\t{\n\t\t"wallet": "0xabc",\n\t\t"rule": "low",\n\t\t"reason": "said \\"yes\\"",\n\t\t"until": "2026-12-31"\n\t}\n]}\n',
  ],
  [
    'into a list that is empty',
    '{\r\n  "rules": [ ],\r\n  "exceptions": [ ]\r\n}\r\n',
    '{\r\n  "rules": [ ],\r\n  "exceptions": [\r\n    {\r\n      "wallet": "0xabc",\r\n      "rule": "low",\r\n      "reason": "said \\"yes\\"",\r\n      "until": "2026-12-31"\r\n    }\r\n  ]\r\n}\r\n',
  ],
  [
    'with a list where there is none',
    '{\n "rules":   [1]\n}',
    `{\n "rules":   [1],\n "exceptions": [\n  {\n   "wallet": "0xabc",\n   "rule": "low",\n   "reason": "said \\"yes\\"",\n   "until": "2026-12-31"\n  }\n ]\n}`,
  ],
  [
    'with the indentation of the file',
    '{\n\t"rules": [1],\n\t"exceptions": []\n}',
    `{\n\t"rules": [1],\n\t"exceptions": [\n\t\t{\n\t\t\t"wallet": "0xabc",\n\t\t\t"rule": "low",\n\t\t\t"reason": "said \\"yes\\"",\n\t\t\t"until": "2026-12-31"\n\t\t}\n\t]\n}`,
  ],
  ['into one line with spaces', '{"rules": [ 1]}', `{"rules": [ 1],"exceptions": [${ONE_LINE}]}`],
  ['into one line without spaces', '{"rules":[1]}', `{"rules":[1],"exceptions":[${JSON.stringify(NEW)}]}`],
])('writes an exception %s', (_, text, expected) => expect(withException(text, NEW, undefined)).toBe(expected));

it('replaces an exception in place, and removes one with its comma', () => {
  const text = '{"exceptions": [\n  {"a": 1},\n  {\n    "b": 2\n  } ,\n  {"c": 3}\n]}';
  expect(withException(text, NEW, 0)).toBe(text.replace('{"a": 1}', ONE_LINE));
  expect(withException(text, { ...NEW, until: undefined }, 1)).toBe(
    '{"exceptions": [\n  {"a": 1},\n  {\n    "wallet": "0xabc",\n    "rule": "low",\n    "reason": "said \\"yes\\""\n  } ,\n  {"c": 3}\n]}',
  );
  expect(withoutException(text, 0)).toBe('{"exceptions": [\n  {\n    "b": 2\n  } ,\n  {"c": 3}\n]}');
  expect(withoutException(text, 1)).toBe('{"exceptions": [\n  {"a": 1} ,\n  {"c": 3}\n]}');
  expect(withoutException(text, 2)).toBe('{"exceptions": [\n  {"a": 1},\n  {\n    "b": 2\n  }\n]}');
  expect(withoutException('{"exceptions": [\n  {"a": 1}\n], "rules": [ ]}', 0)).toBe(
    '{"exceptions": [], "rules": [ ]}',
  );
});

it('writes as JSON.stringify does, with any indentation', () => {
  for (const indent of [2, 4, '\t']) {
    const text = (exceptions: readonly object[]) => JSON.stringify({ rules: ['a'], exceptions }, null, indent);
    expect(withException(text([]), NEW, undefined)).toBe(text([NEW]));
    expect(withException(text([NEW]), { ...NEW, rule: 'b' }, undefined)).toBe(text([NEW, { ...NEW, rule: 'b' }]));
    expect(withException(text([NEW, NEW]), { ...NEW, rule: 'b' }, 0)).toBe(text([{ ...NEW, rule: 'b' }, NEW]));
    expect(withoutException(text([NEW, { ...NEW, rule: 'b' }]), 0)).toBe(text([{ ...NEW, rule: 'b' }]));
  }
});

// A time that grows with the square of the blanks would be minutes.
it('writes into a policy with very many blanks', () => {
  const blanks = ' '.repeat(400_000);
  const text = `{"rules": [1],${blanks}"exceptions": [ {"a": 1}${blanks}]}`;
  expect(withException(text, NEW, undefined)).toBe(text.replace('{"a": 1}', `{"a": 1}, ${ONE_LINE}`));
  expect(withoutException(text, 0)).toBe(`{"rules": [1],${blanks}"exceptions": []}`);
});

it('sets and removes an exception in any policy, and keeps its other contents', () => {
  const space = fc.constantFrom(undefined, 1, 2, '\t', '  ');
  const reason = fc.record({ wallet: fc.string(), rule: fc.string(), reason: fc.string() });
  const policies = fc.record({
    exceptions: fc.option(fc.array(reason, { maxLength: 3 }), { nil: undefined }),
    rules: fc.array(fc.json()),
  });
  const order = fc.boolean();
  fc.assert(
    fc.property(
      policies,
      reason,
      fc.nat(3),
      space,
      order,
      (policy, added: WrittenException, index, indent, isFirst) => {
        const { exceptions = [], rules } = policy;
        const shown = isFirst ? policy : { rules, ...(policy.exceptions && { exceptions }) };
        const text = JSON.stringify(shown, null, indent);
        const isOld = index < exceptions.length;
        const all = isOld ? exceptions.with(index, added) : [...exceptions, added];
        expect(JSON.parse(withException(text, added, isOld ? index : undefined))).toEqual({ rules, exceptions: all });
        if (isOld) {
          expect(JSON.parse(withoutException(text, index))).toEqual({
            rules,
            exceptions: exceptions.toSpliced(index, 1),
          });
        }
      },
    ),
  );
});
