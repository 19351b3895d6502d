import { mkdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readConfig, readKeys } from '../../../src/settings/files.ts';
import { configFolder, testContext } from '../../fixtures/place/config-folder.ts';

const BASE = { base_url: 'https://x.example' };

function keysOf(entry: object) {
  const text = JSON.stringify({ version: 1, keys: { prod: entry } });
  return readKeys(testContext({ env: configFolder({ 'keys.json': text }).env })).get('prod');
}

describe('what keys.json holds of an environment', () => {
  it('is a key, or the command that prints it', () => {
    const baseUrl = BASE.base_url;
    expect(keysOf({ ...BASE, key: 'k' })).toEqual({ key: 'k', baseUrl, storedAt: undefined });
    expect(keysOf({ ...BASE, command: ['pass', ''], stored_at: 'then' })).toEqual({
      command: ['pass', ''],
      baseUrl,
      storedAt: 'then',
    });
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
  ])('is damaged: %j', (entry) => {
    expect(() => keysOf({ ...BASE, ...entry })).toThrow(/keys\.json is damaged/);
  });
});

it('a folder in the place of a file is named, with what to do', () => {
  const folder = configFolder();
  mkdirSync(folder.file('config.json'));
  const hint = 'put a regular file there, or move it away';
  expect(() => readConfig(testContext({ env: folder.env }))).toThrow(
    expect.objectContaining({ message: expect.stringMatching(/config\.json is a folder$/), hint }),
  );
});

it('where there is no folder for them there are no settings and no keys', () => {
  const homeless = testContext({ env: { RISKCLI_CONFIG_DIR: '' } });
  expect([readConfig(homeless).size, readKeys(homeless).size]).toEqual([0, 0]);
});
