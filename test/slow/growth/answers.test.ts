/** Every shape of answer that grows: whatever reads or shows it takes time in proportion. */
import { describe, expect, it } from 'vitest';
import type { ObjectNode } from '../../../src/document/node.ts';
import { parseDocument } from '../../../src/document/parse.ts';
import { renderOne } from '../../../src/output/one.ts';
import { classify } from '../../../src/row/row.ts';
import { readServiceError } from '../../../src/service/contract.ts';
import { whole } from '../../fixtures/whole.ts';
import { wholly } from '../../unit/document/documents.ts';
import { cost, growth, TOO_MUCH } from './cost.ts';
import { SHAPES } from './shapes.ts';
import { rowOf, WALLET } from './views.ts';
import { growthOfViews, showAll } from './views-growth.ts';

const cardOf = (document: ObjectNode) =>
  renderOne(
    { line: 1, input: WALLET, wallet: WALLET, document, ...classify(document) },
    { format: 'table', terminal: { width: 80, color: 0 } },
  );

describe('an answer twice as long costs at most 2.5 times the CPU', () => {
  it.each(Object.keys(SHAPES))('[69] with %s', async (name) => {
    expect(await growthOfViews(name)).toBeLessThanOrEqual(TOO_MUCH);
  });

  it.each(['digits', 'digits in a string', 'a fraction', 'an exponent'])(
    '[69] with %s as the collateral',
    async (name) => {
      const make = SHAPES[name] ?? String;
      const work = (size: number) => showAll(`{"wallet_address":"${WALLET}","total_collateral_usd":${make(size)}}`);
      expect(await growth(work, 64_000)).toBeLessThanOrEqual(TOO_MUCH);
    },
  );

  const NO_NUMBERS: Record<string, (size: number) => string> = {
    'digits and an x': (size) => `${'1'.repeat(size)}x`,
    'digits, a point, digits and an x': (size) => `${'1'.repeat(size)}.${'1'.repeat(size)}x`,
    'an exponent and an x': (size) => `1e${'1'.repeat(size)}x`,
    'spaces and an x': (size) => `1${' '.repeat(size)}x`,
  };
  it.each(Object.entries(NO_NUMBERS))('[69] with %s where a number belongs: the answer is refused', async (_, make) => {
    const body = (size: number) => `{"wallet_address":"${WALLET}","total_collateral_usd":"${make(size)}"}`;
    const work = async (size: number) => {
      expect(() => rowOf(body(size))).toThrow('total_collateral_usd is absent or not a number');
      expect(readServiceError(Buffer.from(`{"retry_after":"${make(size)}"}`))).toEqual({});
    };
    expect(await growth(work, 500_000)).toBeLessThanOrEqual(TOO_MUCH);
  });
});

describe('a card of what nobody could read to its end', () => {
  const many = (count: number, item: (i: number) => string) =>
    Array.from({ length: count }, (_, i) => item(i)).join(',');
  const LOTS = 30_000;
  const WIDE: Record<string, (size: number) => string> = {
    numbers: (size) => `{"n":[${many(size, String)}]}`,
    members: (size) => `{${many(size, (i) => `"k${i}":${i}`)}}`,
    'members of members': (size) => `{${many(size, (i) => `"k${i}":{"a":${i},"b":[${i}]}`)}}`,
    'arrays of unlike things': (size) => `{"n":[${many(size, (i) => `{"k${i}":[{"a":${i}},2]}`)}]}`,
    'wide rows': (size) => `{"n":[{${many(size, (i) => `"k${i}":${i}`)}},{"a":1}]}`,
  };
  it.each(Object.entries(WIDE))('[69] costs less than to read them all: 30,000 %s', async (_, make) => {
    const text = make(LOTS);
    const document = parseDocument(text) as ObjectNode;
    const show = () => whole(cardOf(document));
    const shown = await show();
    const read = async () => wholly(parseDocument(text));
    expect(await cost(show, 3)).toBeLessThan(await cost(read, 3));
    expect(shown.split('\n').length).toBeLessThan(6_000);
    expect(shown).toContain('more');
  });
});
