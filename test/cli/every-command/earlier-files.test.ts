/**
 * Files that riskcli 0.1.0 has written, read by the riskcli of today: what users have on their disks stays readable.
 * test/data/0.1.0 is as that version left it, and is never written anew; the modes are put back, which git does not keep.
 * Lists and policies there were written by hand. The service listened at port 8080, and every key is made up.
 */
import { chmodSync, cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { cli } from '../../fixtures/cli/here.ts';
import { temporaryFolder } from '../../fixtures/place/folder.ts';
import { startServer } from '../../fixtures/service/server.ts';

const DATA = fileURLToPath(new URL('../../data/0.1.0', import.meta.url));
const NOW = Date.parse('2026-03-05T06:07:08Z');
const A = '0xd8da6bf26964af9d7eed9e03e53415d37aa96045';
const B = '0x52908400098527886e0f7030069857d2e4169ee7';
const [C, D, E, GONE] = ['1', '2', '3', '4'].map((digit) => `0x${digit.repeat(40)}`);

/** A copy that a test may change. */
function earlierFiles() {
  const folder = join(temporaryFolder(), 'earlier');
  cpSync(DATA, folder, { recursive: true });
  for (const room of ['config', 'state/riskcli']) {
    for (const name of readdirSync(join(folder, room))) chmodSync(join(folder, room, name), 0o600);
    chmodSync(join(folder, room), 0o700);
  }
  return (name: string) => join(folder, name);
}

const file = earlierFiles();
const riskcli = (...args: string[]) => cli(args, { now: () => NOW, uid: process.getuid?.() });

async function json(...args: string[]) {
  const { stdout, stderr, exitCode } = await riskcli(...args, '--json');
  return { value: JSON.parse(stdout), stderr, exitCode };
}

const outputs = (name: string) => file(`outputs/${name}`);
/** A run of no wallets. */
const NOTHING = file('nothing.csv');
writeFileSync(NOTHING, 'wallet_address,status\n');

describe('outputs of 0.1.0', () => {
  it.each([
    ['old.csv', 'new.csv'],
    ['old.jsonl', 'new.jsonl'],
    ['old.jsonl', 'new.json'],
  ])('%s and %s are compared wallet by wallet', async (old, now) => {
    const { value, exitCode } = await json('diff', outputs(old), outputs(now));
    expect(exitCode).toBe(0);
    expect(value.map((row: Record<string, unknown>) => [row.wallet_address, row.change, row.score])).toEqual([
      [A, 'changed', { old: 742.5, new: 754.5, delta: 12 }],
      [B, 'changed', { old: 310, new: 220, delta: -90 }],
      [E, 'changed', { old: null, new: 643, delta: null }],
    ]);
  });

  it('are compared by fields that were chosen', async () => {
    const { value } = await json('diff', outputs('fields.csv'), outputs('fields.jsonl'), '--fields', 'score');
    expect(value).toEqual([]);
  });

  const counts = (name: string) => json('diff', NOTHING, outputs(name), '--fields', 'wallet_address');
  it.each([
    ['all-fields.csv', 6],
    ['partial.csv', 6],
    ['partial.jsonl', 6],
    ['sandbox.csv', 4],
    ...['csv', 'jsonl', 'json'].flatMap((format): [string, number][] => [
      [`rules/gated.${format}`, 6],
      [`rules/by-policy.${format}`, 6],
    ]),
  ])('%s holds %i wallets, and what they were', async (name, wallets) => {
    const { value, exitCode } = await counts(name);
    expect(exitCode).toBe(0);
    expect(value).toHaveLength(wallets);
    expect(new Set(value.map(({ change }: Record<string, unknown>) => change))).toEqual(new Set(['added']));
  });

  it.each(['csv', 'jsonl', 'json'])('rules/by-policy.%s has its matches in a report', async (format) => {
    const { value, exitCode } = await json('report', outputs(`rules/by-policy.${format}`), '--json');
    expect(exitCode).toBe(0);
    expect(value).toMatchObject({ rows: 8, counts: { scored: 5, no_score: 1, failed: 1, invalid: 1 } });
    expect(value.rules).toEqual([
      { rule: 'thin', matched: 5, unjudged: 0, excused: 0 },
      { rule: 'low score', matched: 3, unjudged: 0, excused: 1 },
    ]);
  });
});

describe('journals of 0.1.0', () => {
  const journal = (name: string) => file(`journals/${name}.journal`);
  const shown = async (name: string) => (await json('journal', 'show', journal(name))).value;

  it('are described by journal show', async () => {
    const service = { base_url: 'http://127.0.0.1:8080', damaged_lines: 0 };
    expect(await shown('fresh')).toMatchObject({ ...service, wallets: 6, answers: 4, superseded: 0, refusals: 4 });
    expect(await shown('long')).toMatchObject({
      ...{ ...service, wallets: 6, answers: 19, superseded: 14, refusals: 18 },
      oldest: '2026-03-01T08:00:00.000Z',
      newest: '2026-03-04T08:00:00.000Z',
      bytes: readFileSync(journal('long')).length,
    });
    expect(await shown('sandbox')).toMatchObject({ base_url: 'sandbox', wallets: 4, answers: 4 });
  });

  it('are exported as the service spelled them', async () => {
    const { stdout } = await riskcli('journal', 'export', journal('long'), '--jsonl');
    const rows = stdout.split('\n').slice(0, -1);
    expect(rows).toHaveLength(5);
    expect(rows[0]).toContain('"total_collateral_usd":1234567.920,');
    expect(rows[0]).toContain('"usd":0.1234567890123456789}],"blocks":9007199254740993,');
  });

  it('are read up to a record torn by a kill', async () => {
    const { value } = await json('journal', 'export', journal('torn'));
    expect(value).toHaveLength(5);
    const torn = readFileSync(journal('torn'), 'utf8');
    const whole = torn.lastIndexOf('\n') + 1;
    expect(whole).toBeLessThan(torn.length);
    expect(await shown('torn')).toMatchObject({ answers: 19, refusals: 17, damaged_lines: 0, bytes: whole });
  });

  it('are cut by prune, and stay readable', async () => {
    const own = earlierFiles()('journals/long.journal');
    await riskcli('journal', 'prune', own, '--wallet', B);
    const { value } = await json('journal', 'export', own);
    expect(value.map((row: Record<string, unknown>) => row.wallet_address)).toEqual([A, C, D, E]);
    const [before = '', ...kept] = readFileSync(journal('long'), 'utf8').split('\n').slice(0, -1);
    const [header = '', ...left] = readFileSync(own, 'utf8').split('\n').slice(0, -1);
    expect(header).toBe(before);
    expect(left.filter((line) => !kept.includes(line))).toEqual([]);
  });

  it('are reused by a list: only missing wallets are requested', async () => {
    const server = await startServer(() => ({ status: 404, body: { error: 'wallet not found' } }));
    onTestFinished(() => server.close());
    const own = earlierFiles()('journals/long.journal');
    // Only the header names the service, whose port changes.
    writeFileSync(own, readFileSync(own, 'utf8').replace('http://127.0.0.1:8080', server.url.origin));
    const env = { RISKCLI_BASE_URL: server.url.origin, RISKCLI_API_KEY: 'wrp_made-up_0123456789abcdef' };
    const options = { env, now: () => NOW };
    const { stdout } = await cli(['profile', '-f', file('wallets.csv'), '--journal', own, '--csv'], options);
    expect(server.requests.map(({ path }) => path.split('/').at(-1))).toEqual([GONE]);
    const dates = stdout.split('\n').filter((line) => line.includes(',2026-03-04T08:00:00.000Z,'));
    expect(dates).toHaveLength(6);
  });

  it('are reused by a list for the sandbox', async () => {
    const own = earlierFiles()('journals/sandbox.journal');
    const { stdout, stderr, exitCode } = await riskcli(
      ...['profile', '--sandbox', '-f', file('wallets.txt'), '--journal', own, '--csv'],
    );
    expect(exitCode).toBe(0);
    expect(stdout).toBe(readFileSync(outputs('sandbox.csv'), 'utf8'));
    expect(stderr).toContain('answers used again: 4');
  });
});

describe('policies of 0.1.0', () => {
  it('give the same verdicts', async () => {
    const { stdout } = await riskcli('journal', 'export', file('journals/long.journal'), '--jsonl');
    const before = stdout.split('\n').slice(0, -1);
    const { stdout: judged, exitCode } = await riskcli(
      ...['journal', 'export', file('journals/long.journal'), '--jsonl', '--policy', file('policy.json')],
    );
    expect(exitCode).toBe(10);
    const rows = judged
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line));
    expect(rows).toHaveLength(before.length);
    expect(rows.map(({ _meta }) => _meta.matched.includes('thin'))).toEqual([false, true, false, true, true]);
    expect(rows[1]._meta.excused).toEqual([
      { rule: 'low score', reason: 'known to us, see ticket 17', until: '2026-12-31' },
    ]);
  });
});

describe('settings and state of 0.1.0', () => {
  const env = { RISKCLI_CONFIG_DIR: file('config'), XDG_STATE_HOME: file('state') };
  const options = { env, now: () => NOW, uid: process.getuid?.() };
  const read = async (...args: string[]) => JSON.parse((await cli([...args, '--json'], options)).stdout);

  it('have each setting of each environment', async () => {
    const values = async (name: string) =>
      Object.fromEntries(
        (await read('config', 'list', '-e', name)).map((row: Record<string, unknown>) => [row.setting, row.value]),
      );
    expect(await values('default')).toMatchObject({
      'base-url': 'http://127.0.0.1:8080',
      auth: 'bearer',
      timeout: '12s',
      'max-wait': '2m',
      'monthly-requests': '1000',
      score: 'defi_score.defi_score',
    });
    expect(await values('prod')).toMatchObject({ 'base-url': 'https://api.example/risk', timeout: '1500ms' });
  });

  it('have the keys, and the command that prints one', async () => {
    const rows = await read('keys', 'list');
    expect(rows.map((row: Record<string, unknown>) => [row.environment, row.key, row.base_url, row.command])).toEqual([
      ['default', 'wrp_****cdef', 'http://127.0.0.1:8080', null],
      ['prod', null, 'https://api.example/risk', 'vault read -field=key secret/risk'],
      ['staging', 'wrp_****ef01', 'https://staging.example', null],
    ]);
  });

  it('have the limits learned for a key', async () => {
    expect(await read('keys', 'show')).toMatchObject({
      limit: 50,
      remaining: 49,
      seen_at: '2026-03-04T08:00:00.000Z',
      requests_this_month: 4,
    });
  });
});
