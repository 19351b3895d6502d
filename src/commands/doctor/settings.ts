/** Which settings are in effect, where each comes from, and what contradicts it. */

import { isAbsolute } from 'node:path';
import { SETTINGS, type Setting, settingNamed } from '../../cli/settings-table.ts';
import { VARIABLES } from '../../cli/variables.ts';
import { KeyError } from '../../errors.ts';
import { maskKey } from '../../secrets/api-key.ts';
import { quoted, quotedWord, visibleName } from '../../secrets/withhold.ts';
import { readConfig, readKeys } from '../../settings/files.ts';
import { commandWords, findProgram } from '../../settings/key/command.ts';
import { ageInDays, ROTATION_DAYS } from '../../settings/key/key.ts';
import type { ResolvedRun } from '../../settings/resolve.ts';
import { didYouMean, nearestFirst, nearestName } from '../../text/nearest.ts';
import { attempt, type Finding, failed, ok, warn } from './finding.ts';

const ROWS: readonly Setting[] = SETTINGS;
const OWN_VARIABLES = VARIABLES.map(({ name }) => name).filter((name) => name.startsWith('RISKCLI_'));

const MAX_WRONG_LETTERS = 4;

/** Without this check, a variable whose name is mistyped would be ignored silently. */
export function checkVariables({ settings, context: { env } }: ResolvedRun): readonly Finding[] {
  const set = Object.keys(env).filter((name) => name.startsWith('RISKCLI_') && env[name]?.trim());
  const unknown = set.filter((name) => !OWN_VARIABLES.includes(name));
  const relative = ['XDG_CONFIG_HOME', 'XDG_STATE_HOME'].filter((name) => env[name]?.trim() && !isAbsolute(env[name]));
  const ignored = relative.map((name) =>
    warn('variables', `${name} is not an absolute path, and is ignored`, 'write the whole path, or unset it'),
  );
  const misspelled = unknown.map((name) => {
    const meant = nearestName(name, OWN_VARIABLES, () => MAX_WRONG_LETTERS);
    const remedy = meant === undefined ? 'unset it' : didYouMean([meant]);
    return warn('variables', `${quoted(name)} is set, but riskcli has no such variable`, remedy);
  });
  const findings = [...misspelled, ...ignored];
  if (settings.environment.source !== '--env') return findings;
  const passedOver = ['RISKCLI_BASE_URL', 'RISKCLI_API_KEY', 'RISKCLI_API_KEY_FILE'].filter((name) =>
    set.includes(name),
  );
  if (passedOver.length === 0) return findings;
  const environment = settings.environment.value;
  return [
    ...findings,
    warn(
      'variables',
      `-e ${environment} ignores ${passedOver.join(', ')}`,
      `unset ${passedOver.length === 1 ? 'it' : 'them'}, or leave out -e`,
    ),
  ];
}

export async function checkSettings(run: ResolvedRun): Promise<readonly Finding[]> {
  const { settings } = run;
  const { value, source } = settings.environment;
  const findings = [ok('environment', `${value}${from(source)}`), ...(await attempt('environment', () => known(run)))];
  for (const setting of ROWS) findings.push(...(await attempt(setting.name, () => checkSetting(setting, run))));
  return findings;
}

/** Whether anything is stored for the environment, and whether riskcli knows each setting stored. */
function known({ settings, context }: ResolvedRun): readonly Finding[] {
  const { value: environment, source } = settings.environment;
  const config = readConfig(context);
  const names = [...new Set([...config.keys(), ...readKeys(context).keys()])];
  const strangers = Object.keys(config.get(environment) ?? {}).filter((name) => !settingNamed(name));
  const findings = strangers.map((name) => {
    const names = nearestFirst(
      name,
      ROWS.map((row) => row.name),
    );
    const finding = `${environment} has ${quotedWord(name)}, which is not a setting`;
    return warn('config.json', finding, didYouMean(names.slice(0, 1)));
  });
  if (source === 'default' || names.includes(environment)) return findings;
  const others = names.length > 0 ? `use one of ${names.join(', ')}, or ` : '';
  return [
    ...findings,
    warn(
      'environment',
      `nothing is stored for ${environment}`,
      `${others}store its key with riskcli keys set -e ${environment}`,
    ),
  ];
}

function checkSetting({ name, fallback }: Setting, { settings, context }: ResolvedRun): readonly Finding[] {
  const setting = settingNamed(name)?.name;
  const found = setting && settings.text(setting);
  // Throws an error that says how to set it.
  if (name === 'base-url' && !found) settings.baseUrl();
  if (!found || (found.source === 'default' && found.value === fallback)) return [];
  const own = ok(name, `${visibleName(found.value)}${from(found.source)}`);
  const stored = readConfig(context).get(settings.environment.value)?.[name];
  const isHidden = stored !== undefined && !found.source.startsWith('config.json') && String(stored) !== found.value;
  if (!isHidden) return [own];
  return [
    own,
    warn(
      name,
      `${found.source} hides what is stored: ${quotedWord(String(stored))}`,
      `leave out ${found.source}, or riskcli config unset ${name}`,
    ),
  ];
}

const from = (source: string) => (source === 'default' ? ' (default)' : `, from ${source}`);

export async function checkKey(run: ResolvedRun): Promise<readonly Finding[]> {
  return attempt('key', async () => {
    const { settings, context } = run;
    const { value, source = '', stored: used, refusal } = await settings.describeKey();
    if (refusal) throw refusal;
    if (used?.command) return checkCommand(used.command, run);
    const stored = readKeys(context).get(settings.environment.value);
    const findings = [ok('key', `${maskKey(value ?? '')}${from(source)}`)];
    if (stored && stored.key !== value) {
      const what = stored.command ? `command ${commandWords(stored.command, context)}` : `key ${maskKey(stored.key)}`;
      findings.push(warn('key', `${source} hides the stored ${what}`, `unset ${source} to use it`));
    }
    const days = used ? ageInDays(stored?.storedAt, context.now()) : undefined;
    if (days !== undefined && days >= ROTATION_DAYS) {
      findings.push(
        warn(
          'key',
          `it was stored ${days} days ago, and rotation is due after ${ROTATION_DAYS}`,
          'create a new key, store it with riskcli keys set --check, then revoke the old one',
        ),
      );
    }
    return findings;
  });
}

/** The command that prints the key is not run: it may ask for a passphrase. */
function checkCommand(command: readonly string[], { settings, context }: ResolvedRun): readonly Finding[] {
  const [program = ''] = command;
  if (findProgram(program, context) === undefined) {
    const missing = new KeyError(`${quoted(program)}, which should print the key, is not a program that can be run`, {
      hint: `install it, or store another source with riskcli keys set -e ${settings.environment.value}`,
    });
    return [failed('key', missing)];
  }
  return [ok('key', `printed by ${commandWords(command, context)}, from keys.json (${settings.environment.value})`)];
}
