import { expect, it } from 'vitest';
import { UsageError } from '../../../src/errors.ts';
import { documentPathText, formatRowPath } from '../../../src/paths/meta-shortcuts.ts';
import { parseRowPath } from '../../../src/paths/row-path.ts';

it.each([
  ['score', ['_meta', 'score']],
  ['status', ['_meta', 'status']],
  ['answered_at', ['_meta', 'answered_at']],
  ['warning', ['_meta', 'warning']],
  ['line', ['_meta', 'line']],
  ['matched', ['_meta', 'matched']],
  ['unjudged[0]', ['_meta', 'unjudged', 0]],
  ['excused[0].rule', ['_meta', 'excused', 0, 'rule']],
  ['input.customer', ['_meta', 'input', 'customer']],
  ['input.Customer name', ['_meta', 'input', 'Customer name']],
  ['input["a.b"]', ['_meta', 'input', 'a.b']],
  ['["score"]', ['score']],
  ['["input"].x', ['input', 'x']],
])('reads back the short path %s', (text, path) => {
  expect(parseRowPath(text)).toEqual(path);
  expect(formatRowPath(path)).toBe(text);
  expect(parseRowPath(formatRowPath(path))).toEqual(path);
});

it.each([
  ['_meta.score', ['_meta', 'score']],
  ['_meta.input.customer', ['_meta', 'input', 'customer']],
  ['_meta.error.code', ['_meta', 'error', 'code']],
  ['_meta', ['_meta']],
])('reads the full path %s', (text, path) => expect(parseRowPath(text)).toEqual(path));

it.each(['score.value', 'status[0]', 'defi_score.score', 'scores', 'error', 'wallet_address'])(
  'finds %s in the document',
  (text) => {
    expect(formatRowPath(parseRowPath(text))).toBe(text);
    expect(parseRowPath(text)[0]).not.toBe('_meta');
  },
);

it('refuses a path that no row has, and suggests the nearest', () => {
  expect(() => parseRowPath('_meta.scor')).toThrow(UsageError);
  expect(() => parseRowPath('_meta.scor')).toThrow("no row has '_meta.scor'");
  const hint = expect.stringMatching(/^did you mean status\? There are line, status, /);
  expect(() => parseRowPath('_meta.stauts')).toThrow(expect.objectContaining({ code: 'missing_field', hint }));
});

it('quotes members of the document that are named like those of the row', () => {
  expect(documentPathText('score')).toBe('["score"]');
  expect(documentPathText('input.x')).toBe('["input"].x');
  expect(documentPathText('score.x')).toBe('score.x');
  expect(documentPathText('inputs.x')).toBe('inputs.x');
  expect(documentPathText('_meta.score')).toBe('_meta.score');
});
