/** What goes wrong while rows are written: readers that leave, full disks, odd characters, lists that stop early. */
import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { address } from '../../fixtures/place/wallets.ts';
import { ONE_LINE, type Workplace, workplace } from '../../fixtures/place/workplace.ts';
import { startService } from '../../fixtures/service/sandbox.ts';
import { startServer } from '../../fixtures/service/server.ts';
import { isSlow } from '../../fixtures/sweep.ts';

const LIST = Array.from({ length: 120 }, (_, i) => `${address(i + 1)}\n`).join('');

async function stage(list = LIST): Promise<Workplace> {
  const { env } = await startService({ limits: { rate: 10_000, quota: 10_000 } });
  const place = workplace(env);
  place.write('list.txt', list);
  return place;
}

/** A service whose documents are `document` and the wallet. */
async function stageOf(document: Record<string, unknown>, list: string): Promise<Workplace & AsyncDisposable> {
  const server = await startServer(({ path }) => ({
    headers: { 'x-ratelimit-limit': '1000' },
    body: { wallet_address: path.slice(path.lastIndexOf('/') + 1), total_collateral_usd: 1, ...document },
  }));
  const place = workplace({ RISKCLI_BASE_URL: server.url.href, RISKCLI_API_KEY: 'test_key_0123456789' });
  place.write('list.txt', list);
  return Object.assign(place, { [Symbol.asyncDispose]: server.close });
}

describe("--fields '*', whose rows wait for the last one", () => {
  const line = "r profile -f list.txt --csv --fields '*'";
  const fieldsOf = (place: Workplace, format: string) =>
    place.cli(['profile', '-f', 'list.txt', '--format', format, '--fields', '*']);

  it('[1,68] exits with 141 and no message if the reader leaves', async () => {
    const place = await stage();
    const finished = await place.sh(`${line} | head -1 | wc -l; exit \${PIPESTATUS[0]}`);
    expect(finished).toMatchObject({ stdout: '1\n', stderr: '', exitCode: 141 });
  });

  // output.test.ts covers rows that are written as they arrive.
  it.runIf(isSlow)('[3,68] a full disk: 8 and one line', async () => {
    const place = await stage();
    const { stderr, exitCode } = await place.sh(`${line} > /dev/full`);
    expect(exitCode).toBe(8);
    expect(stderr).toMatch(ONE_LINE);
  });

  it.each(['csv', 'table'])('[68] keeps U+2028, U+2029 and NEL in their cell: %s', async (format) => {
    const odd = 'a\u2028b\u2029c\u0085d';
    await using service = await stageOf({ name: odd }, `wallet,note\n${address(1)},${odd}\n${address(2)},plain\n`);
    const { stdout, stderr, exitCode } = await fieldsOf(service, format);
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
    const rows = stdout.trimEnd().split('\n');
    expect(rows).toHaveLength(format === 'csv' ? 3 : 2);
    if (format === 'csv') expect(rows[1]).toBe(`${address(1)},${odd},${address(1)},1,${odd}`);
  });

  it('[40] writes a row longer than the read buffer whole', async () => {
    const long = 'x'.repeat(700_000);
    await using service = await stageOf({ name: long }, `${address(1)}\n${address(2)}\n`);
    const { stdout, exitCode } = await fieldsOf(service, 'csv');
    expect(exitCode).toBe(0);
    expect(stdout.trimEnd().split('\n').slice(1)).toEqual([1, 2].map((n) => `${address(n)},1,${long}`));
  });
});

describe('json of a list that stops early', () => {
  it('is a whole array: standard output', async () => {
    const list = ['profile', '-f', 'list.txt', '--json', '--max-requests', '5'];
    const { stdout, exitCode } = await (await stage()).cli(list);
    expect(exitCode).toBe(7);
    expect(JSON.parse(stdout)).toHaveLength(5);
  });
});

it('an output may not be the file that standard output is redirected to', async () => {
  const place = workplace();
  place.write('list.txt', `${address(1)}\n${address(2)}`);
  place.write('out.csv', '');
  const { stderr, exitCode } = await place.sh('r profile -f list.txt --sandbox -o - -o out.csv >> out.csv');
  expect({ exitCode, stderr }).toEqual({
    exitCode: 2,
    stderr: expect.stringContaining("standard output goes to 'out.csv', which is an output as well"),
  });
  expect(existsSync(place.path('out.csv.journal'))).toBe(false);
});
