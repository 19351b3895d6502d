import { describe, expect, it } from 'vitest';
import type { ObjectNode } from '../../../../src/document/node.ts';
import { parseDocument } from '../../../../src/document/parse.ts';
import { formatPath } from '../../../../src/document/path.ts';
import { findLevels, levelAt } from '../../../../src/output/review/levels.ts';

const node = (value: unknown): ObjectNode => {
  const document = parseDocument(JSON.stringify(value));
  if (document.kind !== 'object') throw new TypeError('an object');
  return document;
};
const levels = (...documents: readonly unknown[]) => findLevels(documents.map(node)).map(formatPath);

describe('the levels of answers', () => {
  it('are fields with few words at any level, without duplicates in other words', () => {
    const answer = (level: string) => ({ defi_score: { risk_level: level, risk_category: level.toUpperCase() } });
    expect(levels(answer('Low Risk'), answer('High Risk'), answer('Low Risk'))).toEqual(['defi_score.risk_level']);
  });

  it('may be the same in all answers', () => {
    expect(levels({ level: 'Low', chain: 'ethereum' }, { level: 'Low', chain: 'ethereum' })).toEqual([
      'level',
      'chain',
    ]);
  });

  it('exclude numbers, times, addresses, long texts, and fields with many values', () => {
    const answers = Array.from({ length: 20 }, (_, i) => ({
      number: '12.5',
      time: '2026-01-01T00:00:00Z',
      wallet: '0xab',
      text: 'words that go on and on and on and on',
      name: `name ${String.fromCharCode(97 + i)}`,
      mixed: i === 7 ? 3 : 'word',
      list: ['a', 'b'],
    }));
    expect(levels(...answers)).toEqual([]);
  });

  it('may be missing in some', () => {
    expect(levels({ level: null }, {}, { level: 'Low' })).toEqual(['level']);
    expect(levelAt(node({ level: 'Low' }), ['level'])).toBe('Low');
    expect(levelAt(node({ level: 3 }), ['level'])).toBeUndefined();
  });

  it('are looked for in a limited number of fields', () => {
    const keys = Array.from({ length: 5_000 }, (_, i) => [`k${i}`, i]);
    expect(levels({ ...Object.fromEntries(keys), level: 'Low' })).toEqual([]);
    expect(levels({ level: 'Low', ...Object.fromEntries(keys) })).toEqual(['level']);
  });
});
