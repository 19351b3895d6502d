/**
 * Every shape of answer that grows: whatever reads or shows it takes time in proportion. So does
 * health with its body.
 */
import { expect, it } from 'vitest';
import type { ObjectNode } from '../../../src/document/node.ts';
import { parseDocument } from '../../../src/document/parse.ts';
import { renderOne } from '../../../src/output/one.ts';
import { classify } from '../../../src/row/row.ts';
import { retryAfterOfBody } from '../../../src/service/contract.ts';
import { cli } from '../../fixtures/cli/here.ts';
import { startServer } from '../../fixtures/service/server.ts';
import { whole } from '../../fixtures/whole.ts';
import { growth, TOO_MUCH } from './cost.ts';
import { SHAPES } from './shapes.ts';
import { rowOf, VIEWS, WALLET } from './views.ts';

/**
 * The shape wherever a view looks: among the fields, as an amount, as the score, as an error, as a
 * key of the score's.
 */
const answerWith = (x: string) =>
  `{"wallet_address":"${WALLET}","total_collateral_usd":1,"defi_score":{"score":${x},"y":${x}},"x":${x},"x_usd":${x},"errors":${x}}`;

async function showAll(text: string): Promise<void> {
  const row = rowOf(text);
  for (const show of Object.values(VIEWS)) await show(row);
}

/**
 * Characters of the answers to begin with: a part of the shape takes many of them, or no more are
 * shown.
 */
const SIZES: Readonly<Record<string, number>> = {
  nesting: 25_600,
  'nested members': 20_000,
  'a key of table columns': 1_600,
};

function growthOfViews(name: string): Promise<number> {
  const make = SHAPES[name] ?? String;
  return growth((size) => showAll(answerWith(make(size))), SIZES[name] ?? 8_000);
}

const cardOf = (document: ObjectNode) =>
  renderOne(
    { line: 1, input: WALLET, wallet: WALLET, document, ...classify(document) },
    { format: 'table', terminal: { width: 80, color: 0 } },
  );

it.each(Object.keys(SHAPES))('takes at most 2.5 times the CPU for an answer of twice the %s', async (name) => {
  expect(await growthOfViews(name)).toBeLessThanOrEqual(TOO_MUCH);
});

it.each(['digits', 'digits in a string', 'a fraction', 'an exponent'])(
  'takes at most 2.5 times the CPU for a collateral of twice the %s',
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
it.each(Object.entries(NO_NUMBERS))(
  'refuses an answer with %s in place of a number in linear time',
  async (_, make) => {
    const body = (size: number) => `{"wallet_address":"${WALLET}","total_collateral_usd":"${make(size)}"}`;
    const work = async (size: number) => {
      expect(() => rowOf(body(size))).toThrow('total_collateral_usd is absent or not a number');
      expect(retryAfterOfBody(Buffer.from(`{"retry_after":"${make(size)}"}`))).toBeUndefined();
    };
    expect(await growth(work, 500_000)).toBeLessThanOrEqual(TOO_MUCH);
  },
);

const BODIES: Readonly<Record<string, (size: number) => string>> = {
  'a long status': (size) => `{"status":"${'x'.repeat(size)}","timestamp":"2026-11-20T00:00:00Z"}`,
  'a long timestamp': (size) => `{"status":"ok","timestamp":"${'2026-'.repeat(size / 5)}"}`,
  nesting: (size) => `${'[{"a":'.repeat(size / 6)}`,
  HTML: (size) => `<p>${'<'.repeat(size)}`,
};
it.each(Object.entries(BODIES))(
  'takes at most 2.5 times the CPU for health with twice the body: %s',
  async (_, make) => {
    const work = async (size: number) => {
      const body = make(size);
      await using server = await startServer(() => ({ body }));
      await cli(['health'], { env: { RISKCLI_BASE_URL: server.url.href } });
    };
    expect(await growth(work, 400_000)).toBeLessThanOrEqual(TOO_MUCH);
  },
);

const many = (count: number, item: (i: number) => string) => Array.from({ length: count }, (_, i) => item(i)).join(',');
const LOTS = 30_000;
const WIDE: Record<string, (size: number) => string> = {
  numbers: (size) => `{"n":[${many(size, String)}]}`,
  members: (size) => `{${many(size, (i) => `"k${i}":${i}`)}}`,
  'members of members': (size) => `{${many(size, (i) => `"k${i}":{"a":${i},"b":[${i}]}`)}}`,
  'arrays of unlike things': (size) => `{"n":[${many(size, (i) => `{"k${i}":[{"a":${i}},2]}`)}]}`,
  'wide rows': (size) => `{"n":[{${many(size, (i) => `"k${i}":${i}`)}},{"a":1}]}`,
};
it.each(Object.entries(WIDE))(
  'shows the first of 30,000 %s on a card, and how many more there are',
  async (_, make) => {
    const shown = await whole(cardOf(parseDocument(make(LOTS)) as ObjectNode));
    expect(shown.split('\n').length).toBeLessThan(6_000);
    expect(shown).toContain('more');
  },
);
