/**
 * What holds for every setting, and for a setting that is added. A message names the setting that
 * was forgotten or mixed up.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { readFlags } from '../../../src/cli/flag.ts';
import { keyFlags, requestFlags } from '../../../src/commands/flags.ts';
import { sessionSettings } from '../../../src/session/open-session.ts';
import { resolveSettings } from '../../../src/settings/resolve.ts';
import {
  describeSetting,
  SETTING_NAMES,
  SETTINGS,
  type Setting,
  type SettingName,
  type SettingUse,
} from '../../../src/settings/table.ts';
import { flagsOfCommand, runnableCommands } from '../../fixtures/cli/commands.ts';
import { cli } from '../../fixtures/cli/here.ts';
import { parse } from '../../fixtures/cli/parse.ts';
import { configFolder, testContext } from '../../fixtures/place/config-folder.ts';
import { SETTING_VALUES } from '../../fixtures/place/setting-values.ts';

const COMMANDS = fileURLToPath(new URL('../../../src/commands/', import.meta.url));
const DOCS = readFileSync(new URL('../../../docs/settings.md', import.meta.url), 'utf8');

const settings = SETTING_NAMES.map((name) => ({ name, ...(SETTINGS[name] as Setting), ...SETTING_VALUES[name] }));
const options = settings.filter(({ isOption }) => isOption);

/** The commands that open a session, and what they send. */
const SESSIONS: Readonly<Record<string, readonly SettingUse[]>> = {
  profile: ['request', 'key'],
  review: ['request', 'key'],
  health: ['request'],
  doctor: ['request'],
  'keys set': ['request', 'key'],
  'keys check': ['request', 'key'],
};

it('tries all commands that open a session', () => {
  const files = readdirSync(COMMANDS, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  const opening = files.filter((file) =>
    /session\/(open-session|try-key)\.ts'/.test(readFileSync(join(COMMANDS, file), 'utf8')),
  );
  const verbs = opening.map((file) => file.split(/[/.]/)[0]);
  const known = Object.keys(SESSIONS).map((name) => name.split(' ')[0]);
  expect(verbs.filter((verb) => !known.includes(verb))).toEqual([]);
});

it('offers in each command the options of the settings that it needs', () => {
  const missing = runnableCommands.flatMap((command) => {
    const offered = flagsOfCommand(command).map(({ long }) => long);
    const needed = options.filter(({ use }) => SESSIONS[command.name]?.includes(use));
    return needed.filter(({ name }) => !offered.includes(name)).map(({ name }) => `${command.name} --${name}`);
  });
  expect(missing).toEqual([]);
});

it('has values for all settings in the fixture', () => {
  expect(SETTING_NAMES.filter((name) => SETTING_VALUES[name] === undefined)).toEqual([]);
});

const show = async (args: readonly string[], env: Readonly<Record<string, string>>) =>
  JSON.parse((await cli([...args, '--json'], { env })).stdout);

it.each(settings)('takes $name from its variable', async ({ name, variable, right }) => {
  const env = { ...configFolder().env, [variable]: right };
  expect(await show(['config', 'get', name], env)).toEqual({ setting: name, value: right, source: variable });
});

it.each(settings)('takes $name from where it is stored, and shows it in config list', async ({ name, right }) => {
  const { env } = configFolder();
  expect(await cli(['config', 'set', name, right], { env })).toMatchObject({ exitCode: 0 });
  const shown = { setting: name, value: right, source: 'config.json (default)' };
  expect(await show(['config', 'list'], env)).toContainEqual(shown);
});

it.each(options)('takes $name from its option', async ({ name, right }) => {
  const typed = await parse(['profile', 'x', `--${name}`, right]);
  const found = resolveSettings(readFlags({ ...requestFlags, ...keyFlags }, typed), testContext()).text(name);
  expect({ name, ...found }).toEqual({ name, value: right, source: `--${name}` });
});

it.each(settings)('refuses wrong values of $name, and stores none of them', async ({ name, wrong }) => {
  for (const value of wrong) {
    const folder = configFolder();
    const { exitCode, stderr } = await cli(['config', 'set', name, value], { env: folder.env });
    expect({ name, value, exitCode, stderr }).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(name) });
    expect(() => folder.read('config.json')).toThrow('ENOENT');
  }
});

it.each(settings)('takes the default of $name as its value', ({ name, fallback, parse: read }) => {
  if (fallback !== undefined) expect(() => read(fallback, name)).not.toThrow();
});

const sessionWith = (env: Readonly<Record<string, string>>): Readonly<Record<string, unknown>> => {
  const context = testContext({ env: { RISKCLI_BASE_URL: 'https://api.example.com', ...env } });
  const { key, ...others } = sessionSettings({ settings: resolveSettings({}, context), context }, { sendsKey: true });
  return { ...others, ...key };
};
it.each(settings.filter(({ use }) => use !== 'row'))('changes one thing of a session by $name', (setting) => {
  const { name, variable, right, parse: read } = setting;
  const before = sessionWith({});
  const changed = Object.entries(sessionWith({ [variable]: right })).filter(
    ([member, value]) => JSON.stringify(value) !== JSON.stringify(before[member]),
  );
  expect({ name, changed: changed.map(([, value]) => value) }).toEqual({ name, changed: [read(right, name)] });
});

it.each(settings)('describes $name on the page about settings', ({ name, variable, isOption }) => {
  const words = [...(isOption ? [`\`--${name}\``] : []), `\`${variable}\``].join(', ');
  const line = `- \`${name}\` (${words}): ${describeSetting(name as SettingName)}`;
  expect(DOCS.replaceAll('\n  ', ' ').split('\n')).toContain(line);
});
