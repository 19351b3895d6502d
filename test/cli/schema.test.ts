/** What each schema says of an output, against what riskcli prints. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, it } from 'vitest';
import { META_MEMBERS } from '../../src/row/meta.ts';
import { cli } from '../fixtures/cli/here.ts';
import { configFolder, storedKeys } from '../fixtures/place/config-folder.ts';
import { temporaryFolder } from '../fixtures/place/folder.ts';
import { holdToSchema, SCHEMA_NAMES } from '../fixtures/schemas.ts';
import { startService } from '../fixtures/service/sandbox.ts';

const A = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';
const KEYS = storedKeys({ prod: { key: 'wrp_0123456789abcdef', base_url: 'https://api.example.com' } });
const FOLDER = fileURLToPath(new URL('../../share/schema', import.meta.url));

it('lists the files of share/schema, and prints each as it lies there', async () => {
  const names = (await cli(['schema'])).stdout.trimEnd().split('\n');
  expect(names.map((line) => line.split('\t')[0])).toEqual(SCHEMA_NAMES);
  expect(readdirSync(FOLDER).sort()).toEqual(SCHEMA_NAMES.map((name) => `${name}.json`).sort());
  for (const name of SCHEMA_NAMES) {
    expect((await cli(['schema', name])).stdout).toBe(readFileSync(join(FOLDER, `${name}.json`), 'utf8'));
  }
});

it('prints valid schemas that reject other outputs', async () => {
  const ajv = new Ajv2020();
  for (const name of SCHEMA_NAMES) {
    expect(ajv.validateSchema(JSON.parse((await cli(['schema', name])).stdout)), name).toBe(true);
    expect(() => holdToSchema(name, { nonsense: true })).toThrow(`no ${name}`);
  }
});

it('describes each member of _meta, and those of a kept review in a row as in a review', async () => {
  const [row, review] = ['row', 'review'].map((name) => JSON.parse(readFileSync(join(FOLDER, `${name}.json`), 'utf8')));
  expect(Object.keys(row.properties._meta.properties)).toEqual(META_MEMBERS.map(({ name }) => name));
  expect(review.$defs).toMatchObject(row.$defs);
});

// Each run is held to the schema of what it prints (test/fixtures/schemas.ts); here each has
// something to print.
it('describes the output of each command', async () => {
  const { env } = await startService();
  const folder = temporaryFolder();
  const path = (name: string) => join(folder, name);
  writeFileSync(path('list.txt'), `${A}\nnonsense\n`);
  writeFileSync(path('old.csv'), 'wallet_address,status,total_collateral_usd,score\n');
  const given = { env: { ...env, RISKCLI_CONFIG_DIR: configFolder({ 'keys.json': KEYS }).path } };
  const list = ['profile', '-f', path('list.txt'), '--journal', path('j')];
  const lines: readonly (readonly string[])[] = [
    [...list, '--jsonl'],
    [...list, '--json', '--fail-if', '_meta.score < 0'],
    ['diff', path('old.csv'), path('new.csv'), '--jsonl'],
    ['health', '--json'],
    ['keys', 'show', '--json'],
    ['keys', 'list', '--json'],
    ['keys', 'check', '--json'],
  ];
  await cli([...list, '-o', path('new.csv')], given);
  for (const args of lines) expect((await cli(args, given)).stdout, args.join(' ')).not.toBe('');
  const { stderr } = await cli(['profile', 'nonsense', '--json'], given);
  expect(JSON.parse(stderr)).toHaveProperty('error.code', 'invalid_wallet');
});

it('accepts and rejects the policies that a run does, but for what only riskcli can know', async () => {
  const rule = { name: 'low', if: 'score < 600' };
  const exception = { wallet: A, rule: 'low', reason: 'known' };
  const file = join(temporaryFolder(), 'policy.json');
  const documented = readFileSync(new URL('../../docs/conditions.md', import.meta.url), 'utf8');
  const examples = [...documented.matchAll(/^```json\n(.*?)^```/gms)].map(([, text = '']) => JSON.parse(text));
  expect(examples).not.toEqual([]);
  const right = [
    ...examples,
    { rules: [rule] },
    { $schema: 'policy.json', rules: [{ ...rule, note: 'ask', level: 'watch' }], exceptions: [] },
    { rules: [{ ...rule, if: { all: ['a < 1', { any: ['b exists', { all: ['c missing'] }] }] } }] },
    { rules: [rule], exceptions: [{ ...exception, wallet: A.toLowerCase(), until: '2099-12-31' }] },
  ];
  const wrong = [
    ...[{}, [], null, { rules: [] }, { rules: {} }, { rules: [rule], exeptions: [] }, { $schema: 1, rules: [rule] }],
    ...[{ name: '' }, { name: 'a;b' }, { name: 'a'.repeat(101) }, { name: 1 }, { if: '' }, { if: { all: [] } }].map(
      (change) => ({ rules: [{ ...rule, ...change }] }),
    ),
    ...[{ if: { not: ['a < 1'] } }, { if: { all: ['a < 1'], any: ['a < 1'] } }, { if: { any: [1] } }].map((change) => ({
      rules: [{ ...rule, ...change }],
    })),
    ...[{ note: ' ' }, { level: 'warn' }, { level: null }, { unless: 1 }].map((change) => ({
      rules: [{ ...rule, ...change }],
    })),
    { rules: [{ name: 'low' }] },
    ...[{ wallet: '0x12' }, { reason: '' }, { until: '31.12.2099' }, { until: null }, { from: '2026-01-01' }].map(
      (change) => ({ rules: [rule], exceptions: [{ ...exception, ...change }] }),
    ),
  ];
  for (const policy of right) {
    writeFileSync(file, JSON.stringify(policy));
    expect((await cli(['policy', 'check', file])).exitCode, JSON.stringify(policy)).toBe(0);
    holdToSchema('policy', policy);
  }
  for (const policy of wrong) {
    writeFileSync(file, JSON.stringify(policy));
    expect((await cli(['policy', 'check', file])).exitCode, JSON.stringify(policy)).toBe(2);
    expect(() => holdToSchema('policy', policy), JSON.stringify(policy)).toThrow('no policy');
  }
});

it('refuses an unknown name and lists the known ones', async () => {
  const { stderr, exitCode } = await cli(['schema', 'rowz']);
  expect(exitCode).toBe(2);
  expect(stderr).toContain('row');
});
