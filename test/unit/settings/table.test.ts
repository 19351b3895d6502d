import { describe, expect, it } from 'vitest';
import { type FlagRow, readFlags } from '../../../src/cli/flag.ts';
import { keyFlags, serviceFlags } from '../../../src/commands/flags.ts';
import { resolveSettings } from '../../../src/settings/resolve.ts';
import { SETTING_NAMES, SETTINGS, type Setting, type SettingName } from '../../../src/settings/table.ts';
import { parse } from '../../fixtures/cli/parse.ts';
import { testContext } from '../../fixtures/place/config-folder.ts';
import { address } from '../../fixtures/place/wallets.ts';

const connection = { ...serviceFlags, ...keyFlags };

describe('the table of settings', () => {
  it('has a row for each option of the connection that takes a value, without which it would do nothing, and no other', () => {
    const valued = Object.entries<FlagRow>(connection).filter(([, { value }]) => value !== undefined);
    const options = Object.values<Setting>(SETTINGS).flatMap(({ option }) => option ?? []);
    expect(valued.map(([name]) => name).sort()).toEqual(options.sort());
  });

  const EXAMPLES: Readonly<Record<SettingName, string>> = {
    'base-url': 'https://api.example.com',
    auth: 'bearer',
    timeout: '7s',
    'max-wait': '8s',
    'monthly-requests': '9',
    score: 'a.b',
  };
  /** As a command finds them that was typed with `words`. */
  async function settingsOf(words: readonly string[], env: Readonly<Record<string, string>> = {}) {
    const typed = await parse(['profile', address(1), ...words]);
    return resolveSettings(readFlags(connection, typed), testContext({ env }));
  }
  it.each(SETTING_NAMES)('%s is what its option and its variable say', async (name) => {
    const { option, variable }: Setting = SETTINGS[name];
    const value = EXAMPLES[name];
    expect((await settingsOf([], { [variable]: value })).text(name)).toEqual({ value, source: variable });
    if (option === undefined) return;
    expect((await settingsOf([`--${name}`, value])).text(name)).toEqual({ value, source: `--${name}` });
  });

  it.each(SETTING_NAMES)('%s has no default that its parser refuses', (name) => {
    const { fallback, parse }: Setting = SETTINGS[name];
    if (fallback) expect(() => parse(fallback, name)).not.toThrow();
  });
});
