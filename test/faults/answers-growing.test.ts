/** Hostile answers that grow: whatever reads or shows them takes time in proportion, and hears a signal meanwhile. */
import { describe, expect, it } from 'vitest';
import type { ObjectNode } from '../../src/document/node.ts';
import { parseDocument } from '../../src/document/parse.ts';
import { writePretty } from '../../src/document/write.ts';
import { renderOne } from '../../src/output/one.ts';
import { judge } from '../../src/row/row.ts';
import { readServiceError } from '../../src/service/contract.ts';
import { bareEnv, start } from '../helpers/binary.ts';
import { cost, growth, TOO_MUCH } from '../helpers/growth.ts';
import { startServer } from '../helpers/server.ts';
import { address } from '../helpers/wallets.ts';
import { whole } from '../helpers/whole.ts';
import { workplace } from '../helpers/workplace.ts';
import { wholly } from '../unit/document/documents.ts';
import { growthOfViews, showAll } from './linear/growth.ts';
import { OFTEN, SHAPES } from './linear/shapes.ts';
import { rowOf, WALLET } from './linear/views.ts';

const cardOf = (document: ObjectNode) =>
  renderOne(
    { line: 1, input: WALLET, wallet: WALLET, document, ...judge(document) },
    { format: 'table', header: true, terminal: { width: 80, color: 0 } },
  );

describe('an answer twice as long costs at most 2.5 times the CPU', () => {
  // The others are in test/slow.
  it.each(OFTEN)('[69] with %s', async (name) => {
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

it('[69] a deep document is not indented to a thousand times its length', () => {
  const text = `[${Array.from({ length: 100 }, () => `${'['.repeat(900)}1${']'.repeat(900)}`).join(',')}]`;
  const pretty = writePretty(parseDocument(text));
  expect(pretty.length).toBeLessThan(4 * text.length);
  expect(JSON.parse(pretty)).toEqual(JSON.parse(text));
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

describe('SIGTERM while long answers are read and written', () => {
  it('[69] ends the lines of one wallet, between two blocks of them', async () => {
    // Each of 20,000 values stands behind a path of 30,000 characters.
    const body = `{"wallet_address":"${WALLET}","total_collateral_usd":1,"${'k'.repeat(30_000)}":[${'1,'.repeat(20_000)}1]}`;
    await using server = await startServer(() => ({ body }));
    const { child, done } = start(['profile', WALLET], {
      env: bareEnv({ RISKCLI_BASE_URL: server.url.href, RISKCLI_API_KEY: 'test_key_0123456789' }),
    });
    child.stdout?.once('data', () => child.kill('SIGTERM'));
    const { exitCode, stdout } = await done;
    expect(exitCode).toBe(143);
    expect(stdout.length).toBeLessThan(300_000_000);
  });

  it.each([
    ['rows as they come', ['--csv']],
    ['rows that wait for the last one', ['--csv', '--fields', '*']],
  ])('[69] ends the list: %s', async (_, flags) => {
    const numbers = Array.from({ length: 2_000 }, (__, i) => i).join(',');
    await using server = await startServer(({ path }) => ({
      headers: { 'x-ratelimit-limit': '1000' },
      body: `{"wallet_address":"${path.slice(path.lastIndexOf('/') + 1)}","total_collateral_usd":${'1'.repeat(10_000)},"n":[${numbers}]}`,
    }));
    const place = workplace({ RISKCLI_BASE_URL: server.url.href, RISKCLI_API_KEY: 'test_key_0123456789' });
    place.write('list.txt', Array.from({ length: 400 }, (__, i) => `${address(i + 1)}\n`).join(''));
    const { child, done } = start(['profile', '-f', 'list.txt', '--concurrency', '4', ...flags], {
      cwd: place.folder,
      env: { ...place.env },
    });
    while (server.requests.length < 12) await new Promise((resolve) => setTimeout(resolve, 20));
    child.kill('SIGTERM');
    const { exitCode, signal } = await done;
    expect([exitCode, signal]).toEqual(exitCode === null ? [null, 'SIGTERM'] : [143, null]);
    expect(server.requests.length).toBeLessThan(400);
  });
});
