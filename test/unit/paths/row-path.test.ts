import { describe, expect, it } from 'vitest';
import { UsageError } from '../../../src/errors.ts';
import { documentPathText, formatRowPath } from '../../../src/paths/own-names.ts';
import { parseRowPath } from '../../../src/paths/row-path.ts';

describe('a path into a row', () => {
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
  ])('%s has a short text that is read back', (text, path) => {
    expect(parseRowPath(text)).toEqual(path);
    expect(formatRowPath(path)).toBe(text);
    expect(parseRowPath(formatRowPath(path))).toEqual(path);
  });

  it.each([
    ['_meta.score', ['_meta', 'score']],
    ['_meta.input.customer', ['_meta', 'input', 'customer']],
    ['_meta.error.code', ['_meta', 'error', 'code']],
    ['_meta', ['_meta']],
  ])('%s is the same in full', (text, path) => {
    expect(parseRowPath(text)).toEqual(path);
  });

  it.each(['score.value', 'status[0]', 'defi_score.score', 'scores', 'error', 'wallet_address'])(
    '%s is the document’s own',
    (text) => {
      expect(formatRowPath(parseRowPath(text))).toBe(text);
      expect(parseRowPath(text)[0]).not.toBe('_meta');
    },
  );

  it('is refused if no row has such a member, with the nearest name', () => {
    expect(() => parseRowPath('_meta.scor')).toThrow(UsageError);
    expect(() => parseRowPath('_meta.scor')).toThrow("no row has '_meta.scor'");
    const hint = expect.stringMatching(/^did you mean status\? There are score, /);
    expect(() => parseRowPath('_meta.stauts')).toThrow(expect.objectContaining({ code: 'missing_field', hint }));
  });

  it('distinguishes members of the document from names of the row', () => {
    expect(documentPathText('score')).toBe('["score"]');
    expect(documentPathText('input.x')).toBe('["input"].x');
    expect(documentPathText('score.x')).toBe('score.x');
    expect(documentPathText('inputs.x')).toBe('inputs.x');
    expect(documentPathText('_meta.score')).toBe('_meta.score');
  });
});
