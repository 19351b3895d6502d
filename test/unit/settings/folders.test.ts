import { chmodSync, chownSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { configFolder, makeOwnFolder, requireFolder, stateFolder } from '../../../src/settings/folders.ts';
import { testHost } from '../../fixtures/cli/here.ts';
import { temporaryFolder } from '../../fixtures/place/folder.ts';

const place = (env: Record<string, string>, home?: string, platform: NodeJS.Platform = 'linux') => ({
  ...testHost({ home, platform }),
  env,
});

it.each([
  ['RISKCLI_CONFIG_DIR', place({ RISKCLI_CONFIG_DIR: '/c', XDG_CONFIG_HOME: '/x' }, '/h'), '/c'],
  ['XDG_CONFIG_HOME', place({ XDG_CONFIG_HOME: '/x' }, '/h'), '/x/riskcli'],
  ['home', place({}, '/h'), '/h/.config/riskcli'],
  ['home, when others are blank', place({ RISKCLI_CONFIG_DIR: ' ', XDG_CONFIG_HOME: '' }, '/h'), '/h/.config/riskcli'],
  ['home, when XDG_CONFIG_HOME is relative', place({ XDG_CONFIG_HOME: 'x' }, '/h'), '/h/.config/riskcli'],
  ['nothing, without a home', place({}), undefined],
  ['nothing, with a relative home', place({}, 'h'), undefined],
  ['APPDATA on Windows', place({ APPDATA: 'C:\\A' }, 'C:\\U', 'win32'), 'C:\\A\\riskcli'],
  ['home on Windows, without APPDATA', place({}, 'C:\\U', 'win32'), 'C:\\U\\AppData\\Roaming\\riskcli'],
  ['nothing on Windows, with neither', place({ XDG_CONFIG_HOME: '/x' }, undefined, 'win32'), undefined],
  ['home on macOS', place({}, '/Users/me', 'darwin'), '/Users/me/.config/riskcli'],
])('finds the folder of settings by %s', (_, where, folder) => expect(configFolder(where)).toBe(folder));

it('refuses a relative folder of settings', () => {
  const error = { message: 'RISKCLI_CONFIG_DIR is not an absolute path', hint: 'write the whole path, or unset it' };
  const find = () => configFolder(place({ RISKCLI_CONFIG_DIR: 'here' }, '/h'));
  expect(find).toThrow(expect.objectContaining(error));
});

it('requires a home or a variable for the folder of settings', () => {
  const error = {
    message: 'there is no home folder to store settings in',
    hint: 'set HOME or RISKCLI_CONFIG_DIR, or use RISKCLI_API_KEY and RISKCLI_BASE_URL',
  };
  expect(() => requireFolder(place({}))).toThrow(expect.objectContaining(error));
});

it.each([
  ['XDG_STATE_HOME', place({ XDG_STATE_HOME: '/x', RISKCLI_CONFIG_DIR: '/c' }, '/h'), '/x/riskcli'],
  ['home', place({ XDG_STATE_HOME: './x' }, '/h'), '/h/.local/state/riskcli'],
  ['LOCALAPPDATA on Windows', place({ LOCALAPPDATA: 'C:\\L' }, 'C:\\U', 'win32'), 'C:\\L\\riskcli'],
  ['home on Windows', place({ LOCALAPPDATA: 'L' }, 'C:\\U', 'win32'), 'C:\\U\\AppData\\Local\\riskcli'],
  ['nothing, without a home', place({}), undefined],
])('finds the folder of state by %s', (_, where, folder) => expect(stateFolder(where)).toBe(folder));

const owner = testHost({ uid: process.getuid?.() });

it('creates missing folders for the owner only, and accepts existing ones', () => {
  const folder = join(temporaryFolder(), 'a', 'b');
  for (let i = 0; i < 2; i++) makeOwnFolder(folder, owner);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
});

it('refuses a folder of settings that others can write, except on Windows, which has no such modes', () => {
  const folder = temporaryFolder();
  chmodSync(folder, 0o777);
  expect(() => makeOwnFolder(folder, owner)).toThrow(/others/);
  expect(() => makeOwnFolder(folder, testHost({ platform: 'win32' }))).not.toThrow();
});

it('refuses a folder of settings of another user, and says how to use another', () => {
  const folder = temporaryFolder();
  if (process.getuid?.() === 0) chownSync(folder, 4242, 4242);
  expect(() => makeOwnFolder(folder, testHost({ uid: 4243 }))).toThrow(
    expect.objectContaining({
      message: expect.stringContaining('belongs to another user'),
      hint: 'change its owner, or use RISKCLI_CONFIG_DIR',
    }),
  );
});

it('refuses a file in the place of a folder of settings', () => {
  const file = join(temporaryFolder(), 'a');
  writeFileSync(file, '');
  expect(() => makeOwnFolder(file, owner)).toThrow(expect.objectContaining({ code: 'EEXIST' }));
});
