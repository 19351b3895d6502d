import { expect, it } from 'vitest';
import { UsageError } from '../../../src/errors.ts';
import { parseFields } from '../../../src/paths/fields.ts';

it('reads paths, new names and the mark of optional fields', () => {
  expect(parseFields('a,b.c[0],score=defi_score.defi_score,opt? ,x=["a,b=c?"].d?, _meta.status ')).toEqual([
    { name: 'a', path: ['a'], isOptional: false, isBracketed: false },
    { name: 'b.c[0]', path: ['b', 'c', 0], isOptional: false, isBracketed: false },
    { name: 'score', path: ['defi_score', 'defi_score'], isOptional: false, isBracketed: false },
    { name: 'opt', path: ['opt'], isOptional: true, isBracketed: false },
    { name: 'x', path: ['a,b=c?', 'd'], isOptional: true, isBracketed: true },
    { name: '_meta.status', path: ['_meta', 'status'], isOptional: false, isBracketed: false },
  ]);
});

it.each([
  ['', 'empty item'],
  ['a,,b', 'empty item'],
  ['a,', 'empty item'],
  ['?', 'is not a field'],
  ['=a', 'is not a field'],
  ['a=', 'is not a path'],
  ['a=b=c', 'is not a field'],
  ['a..b', 'is not a path'],
  ['a,b,a', 'two fields'],
  ['a,a=b', 'two fields'],
])('refuses the fields %j', (spec, problem) => {
  expect(() => parseFields(spec)).toThrow(UsageError);
  expect(() => parseFields(spec)).toThrow(problem);
});
