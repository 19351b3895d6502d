/** `riskcli config`: the settings of each environment. */

import { type Argument, type CommandBody, type Options, subcommand } from '../cli/command.ts';
import type { Context } from '../context.ts';
import { UsageError } from '../errors.ts';
import { writeAll } from '../files/stream.ts';
import { chooseFormat } from '../output/choose-format.ts';
import { RECORD_FORMATS } from '../row/formats.ts';
import { quotedWord } from '../secrets/redact.ts';
import { readConfig } from '../settings/files.ts';
import { resolveSettings } from '../settings/resolve.ts';
import { storeSetting } from '../settings/store.ts';
import { SETTING_NAMES, SETTINGS, type SettingName, settingNamed, storableText } from '../settings/table.ts';
import { didYouMean, nearestName } from '../text/nearest.ts';
import { recordFlags } from './flags.ts';
import { printRecords } from './print-records.ts';

const WIDTH = Math.max(...SETTING_NAMES.map((name) => name.length));
const KEY: Argument = { name: 'key', help: SETTING_NAMES.join(', '), choices: SETTING_NAMES };
const DESCRIPTION = `Settings of an environment (-e, default "default"). Options and variables
override them. API keys are stored separately: see riskcli keys.

${SETTING_NAMES.map((name) => `  ${name.padEnd(WIDTH)}  ${SETTINGS[name].help}`).join('\n')}`;

const configSetCommand = subcommand({
  name: 'set',
  summary: 'Store a setting',
  args: [KEY, { name: 'value', help: 'its new value' }],
  examples: {
    'riskcli config set timeout 10s': 'Instead of 30s',
    'riskcli config set -e prod monthly-requests 100000': 'Lists stop before the plan is used up',
  },
  run: setSetting,
});

const get = subcommand({
  name: 'get',
  summary: 'Print the value of a setting that is in effect',
  args: [KEY],
  flags: recordFlags,
  examples: {
    'riskcli config get timeout': 'The value alone, or nothing when there is none',
    'riskcli config get timeout --json': 'And where it came from',
  },
  run: getSetting,
});

const configListCommand = subcommand({
  name: 'list',
  summary: 'List every setting, its value and where it came from',
  flags: recordFlags,
  examples: {
    'riskcli config list -e prod': 'What a command with -e prod would use',
    "riskcli config list --json | jq '.[] | {setting, source}'": 'For a script: where values come from',
  },
  run: listSettings,
});

const unset = subcommand({
  name: 'unset',
  summary: 'Remove a stored setting',
  args: [KEY],
  examples: {
    'riskcli config unset timeout': 'Back to the default',
    'riskcli config unset -e prod monthly-requests': 'In another environment',
  },
  run: unsetSetting,
});

export const config: CommandBody = {
  description: DESCRIPTION,
  subcommands: [configSetCommand, get, configListCommand, unset],
  examples: {
    'riskcli config list': 'What is in effect here',
    'riskcli config set timeout 10s': 'From now on, unless an option or a variable says otherwise',
  },
};

type PrintedSettings = Options<typeof recordFlags>;

/** The setting called `name`. @throws UsageError that names the nearest one */
function requireSetting(name: string): SettingName {
  const found = settingNamed(name);
  if (found) return found;
  if (/key|token|secret/i.test(name)) {
    throw new UsageError('an API key is not a setting', { hint: 'store it with riskcli keys set' });
  }
  const nearest = nearestName(name, SETTING_NAMES, ({ length }) => length / 2);
  throw new UsageError(`there is no setting ${quotedWord(name)}`, {
    hint: nearest === undefined ? `the settings are ${SETTING_NAMES.join(', ')}` : didYouMean([nearest]),
  });
}

async function setSetting(options: Options, context: Context): Promise<undefined> {
  const [key = '', value = ''] = options.args;
  const name = requireSetting(key);
  const text = storableText(name, value);
  const environment = resolveSettings(options, context).environment.value;
  const file = await storeSetting(environment, name, text, context);
  context.report.hint(`stored ${name} ${text} for ${environment} in ${file}`);
}

async function unsetSetting(options: Options, context: Context): Promise<undefined> {
  const [typed = ''] = options.args;
  const environment = resolveSettings(options, context).environment.value;
  const stored = new Map(Object.entries(readConfig(context).get(environment) ?? {}));
  // A misspelt one that is stored can be removed, too.
  const name = stored.has(typed) ? typed : requireSetting(typed);
  if (!stored.has(name)) {
    context.report.hint(`${name} is not stored for ${environment}`);
    return;
  }
  const file = await storeSetting(environment, name, undefined, context);
  context.report.hint(`removed ${name} of ${environment} from ${file}`);
}

async function getSetting(options: PrintedSettings, context: Context): Promise<undefined> {
  const name = requireSetting(options.args[0] ?? '');
  const found = resolveSettings(options, context).text(name);
  if (chooseFormat(options, { choices: RECORD_FORMATS }) === 'table') {
    if (found) await writeAll(context.stdout, `${found.value}\n`);
    return;
  }
  await printRecords([row(name, found)], { options, context, single: true });
}

async function listSettings(options: PrintedSettings, context: Context): Promise<undefined> {
  const settings = resolveSettings(options, context);
  const stored = readConfig(context).get(settings.environment.value) ?? {};
  const unknown = Object.keys(stored).filter((name) => !settingNamed(name));
  const records = [
    row('environment', settings.environment),
    ...SETTING_NAMES.map((name) => row(name, settings.text(name))),
    ...unknown.map((name) => row(name, { value: null, source: 'config.json, but there is no such setting' })),
  ];
  await printRecords(records, { options, context });
}

const row = (setting: string, found: { readonly value: string | null; readonly source: string } | undefined) => ({
  setting,
  value: found?.value ?? null,
  source: found?.source ?? null,
});
