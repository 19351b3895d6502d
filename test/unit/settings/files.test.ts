import { chmodSync, readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { readConfig, readKeys } from '../../../src/settings/files.ts';
import { storeSetting } from '../../../src/settings/store.ts';
import { failCall } from '../../fixtures/place/calls.ts';
import { configFolder, storedKeys, testContext } from '../../fixtures/place/config-folder.ts';

const BASE = { base_url: 'https://x.example' };

function keysOf(entry: object) {
  const text = JSON.stringify({ version: 1, keys: { prod: entry } });
  return readKeys(testContext({ env: configFolder({ 'keys.json': text }).env })).get('prod');
}

it('reads from keys.json a key, or the command that prints it', () => {
  const baseUrl = BASE.base_url;
  expect(keysOf({ ...BASE, key: 'k' })).toEqual({ key: 'k', baseUrl, storedAt: undefined });
  expect(keysOf({ ...BASE, command: ['pass', ''], stored_at: 'then' })).toEqual({
    command: ['pass', ''],
    baseUrl,
    storedAt: 'then',
  });
  expect(keysOf({ ...BASE, key: 'k', stored_at: 5 })).toEqual({ key: 'k', baseUrl, storedAt: undefined });
});

it.each([
  {},
  { key: 5 },
  { key: null },
  { key: 'k', command: ['pass'] },
  { command: [] },
  { command: [''] },
  { command: ['pass', 5] },
  { command: ['pass', 'a\0b'] },
  { command: 'pass' },
  { command: null },
  { key: 'k', base_url: 5 },
])('reports keys.json as damaged by the entry %j', (entry) => {
  expect(() => keysOf({ ...BASE, ...entry })).toThrow(/keys\.json is damaged/);
});

it('uses keys that others can read in a file whose mode cannot be changed, with a warning', () => {
  const folder = configFolder({ 'keys.json': storedKeys({ prod: { key: 'k', ...BASE } }) });
  chmodSync(folder.file('keys.json'), 0o644);
  failCall('fchmodSync', 'EROFS');
  const context = testContext({ env: folder.env });
  expect(readKeys(context).get('prod')).toMatchObject({ key: 'k' });
  expect(context.notes).toEqual([
    expect.stringMatching(/was readable by others \(mode 0?644\), and its mode cannot be changed$/),
  ]);
});

it('ignores the mode of keys.json on Windows', () => {
  const folder = configFolder({ 'keys.json': storedKeys({ prod: { key: 'k', ...BASE } }) });
  chmodSync(folder.file('keys.json'), 0o666);
  const context = testContext({ env: folder.env, platform: 'win32' });
  expect([readKeys(context).get('prod')?.key, context.notes]).toEqual(['k', []]);
});

it('reads no settings and no keys without a folder', () => {
  const homeless = testContext({ env: { RISKCLI_CONFIG_DIR: '' } });
  expect([readConfig(homeless).size, readKeys(homeless).size]).toEqual([0, 0]);
});

it('leaves a settings file that cannot be replaced unchanged, without leftover files', async () => {
  const folder = configFolder({ 'config.json': '{}' });
  failCall('renameSync', 'EACCES', (_, to) => to === folder.file('config.json'));
  const storing = storeSetting('default', 'timeout', '5s', testContext({ env: folder.env }));
  await expect(storing).rejects.toMatchObject({
    message: expect.stringMatching(/config\.json cannot be written/),
    hint: 'make its folder writable, or set RISKCLI_CONFIG_DIR to another folder',
  });
  expect(folder.read('config.json')).toBe('{}');
  expect(readdirSync(folder.path)).toEqual(['config.json']);
});
