import { describe, expect, it } from 'vitest';
import { flagsOf, readFlags } from '../../../src/cli/flag.ts';
import { keyFlags, serviceFlags } from '../../../src/commands/flags.ts';
import { resolveSettings } from '../../../src/settings/resolve.ts';
import { SETTINGS, type Setting, type SettingName } from '../../../src/settings/table.ts';
import { PARSERS } from '../../../src/settings/values.ts';
import { parse } from '../../fixtures/cli/parse.ts';
import { testContext } from '../../fixtures/place/config-folder.ts';
import { address } from '../../fixtures/place/wallets.ts';

const rows: readonly Setting[] = SETTINGS;

describe('the table of settings', () => {
  it('names options that exist', () => {
    const flags = flagsOf({ ...serviceFlags, ...keyFlags }).map(({ long }) => long);
    for (const { flag } of rows) if (flag) expect(flags).toContain(flag);
  });

  it('has a row for each option of the connection that takes a value: without one it would do nothing', () => {
    const valued = flagsOf({ ...serviceFlags, ...keyFlags }).filter(({ value }) => value !== undefined);
    expect(valued.length).toBeGreaterThan(0);
    for (const { long } of valued) expect(rows.map(({ flag }) => flag)).toContain(long);
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
    return resolveSettings(readFlags({ ...serviceFlags, ...keyFlags }, typed), testContext({ env }));
  }
  it.each(rows)('$name is what its option and its variable say', async ({ name, flag, variable = '' }) => {
    const setting = name as SettingName;
    const value = EXAMPLES[setting];
    expect((await settingsOf([], { [variable]: value })).text(setting)).toEqual({ value, source: variable });
    if (flag === undefined) return;
    expect((await settingsOf([`--${flag}`, value])).text(setting)).toEqual({ value, source: `--${flag}` });
  });

  it('has defaults that its parsers accept', () => {
    for (const { name, fallback } of SETTINGS as readonly (Setting & { name: keyof typeof PARSERS })[]) {
      if (fallback) expect(() => PARSERS[name](fallback, name)).not.toThrow();
    }
  });
});
