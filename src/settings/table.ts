/**
 * The one table of settings. Resolution, options of commands, help, `riskcli config`, doctor and
 * completions are made from it.
 */
import { parsePath } from '../document/parse-path.ts';
import type { Path } from '../document/path.ts';
import { UsageError } from '../errors.ts';
import { quotedWord } from '../secrets/redact.ts';
import { AUTHS, type Auth } from '../service/headers.ts';
import { baseUrlText, parseBaseUrl } from './base-url.ts';
import { checkChoice, parseDuration } from './typed-values.ts';

/**
 * Which commands need a setting: those that send any request, those that send the key, or those
 * that make rows of answers.
 */
export type SettingUse = 'request' | 'key' | 'row';

export interface Setting {
  /** The variable that overrides the stored value. */
  readonly variable: string;
  readonly use: SettingUse;
  /** Whether these commands have an option of the setting's name, which overrides everything. */
  readonly isOption?: true;
  /** The placeholder of the value in help: `DURATION`. */
  readonly placeholder: string;
  readonly help: string;
  /** Reads `text`, which is from `what`; durations become milliseconds. @throws UsageError */
  readonly parse: (text: string, what: string) => unknown;
  /** The default, as text. */
  readonly fallback?: string;
  /** The default as help and docs write it, if there is more to say than `fallback`. */
  readonly defaults?: string;
}

/** By the names under which an environment stores them. */
export const SETTINGS = {
  'base-url': {
    variable: 'RISKCLI_BASE_URL',
    use: 'request',
    isOption: true,
    placeholder: 'URL',
    help: 'address of the service',
    parse: parseBaseUrl,
  },
  auth: {
    variable: 'RISKCLI_AUTH',
    use: 'key',
    placeholder: 'HEADER',
    help: 'header to send the key in: x-api-key or bearer',
    parse: parseAuth,
    fallback: 'x-api-key',
  },
  timeout: {
    variable: 'RISKCLI_TIMEOUT',
    use: 'request',
    isOption: true,
    placeholder: 'DURATION',
    help: 'time limit for one answer, retries included',
    parse: parseTimeout,
    fallback: '30s',
    defaults: '30s; health: 5s',
  },
  'max-wait': {
    variable: 'RISKCLI_MAX_WAIT',
    use: 'key',
    isOption: true,
    placeholder: 'DURATION',
    help: 'longest wait for rate limits',
    parse: parseDuration,
    fallback: '60s',
  },
  'monthly-requests': {
    variable: 'RISKCLI_MONTHLY_REQUESTS',
    use: 'key',
    placeholder: 'N',
    help: 'requests per month that the plan allows',
    parse: parseCount,
  },
  score: {
    variable: 'RISKCLI_SCORE',
    use: 'row',
    placeholder: 'PATH',
    help: 'path to the headline score',
    parse: parseScore,
  },
} as const satisfies Readonly<Record<string, Setting>>;

type SettingsTable = typeof SETTINGS;
export type SettingName = keyof SettingsTable;
export const SETTING_NAMES = Object.keys(SETTINGS) as readonly SettingName[];

/** The type of a setting once it is read. */
export type SettingValue<N extends SettingName> = ReturnType<SettingsTable[N]['parse']>;
/** The settings that have a default. */
export type DefaultedName = {
  [N in SettingName]: SettingsTable[N] extends { fallback: string } ? N : never;
}[SettingName];
/** The settings that commands of the use `U` have as options. */
export type OptionName<U extends SettingUse = SettingUse> = {
  [N in SettingName]: SettingsTable[N] extends { isOption: true; use: U } ? N : never;
}[SettingName];
/** The options of a command that are settings, as typed. */
export type TypedSettings = { readonly [N in OptionName]?: string | undefined };

/** The purpose of a setting and its default, as help and docs write them. */
export function describeSetting(name: SettingName): string {
  const { help, fallback, defaults = fallback }: Setting = SETTINGS[name];
  return defaults === undefined ? help : `${help} (default: ${defaults})`;
}

/** Every variable of our own that the program reads. */
export const VARIABLES: readonly string[] = [
  ...SETTING_NAMES.map((name) => SETTINGS[name].variable),
  ...['RISKCLI_ENV', 'RISKCLI_API_KEY', 'RISKCLI_API_KEY_FILE', 'RISKCLI_CONFIG_DIR'],
];

/** The name `text` of a setting; undefined when there is none of that name. */
export const settingNamed = (text: string) => SETTING_NAMES.find((name) => name === text);

/**
 * `text` as it is stored, checked. @throws UsageError when it is not a valid value of the setting
 * `name`
 */
export function storableText(name: SettingName, text: string): string {
  const value = SETTINGS[name].parse(text, name);
  return value instanceof URL ? baseUrlText(value) : text.trim();
}

function parseAuth(text: string, what: string): Auth {
  return checkChoice(what, text.trim().toLowerCase(), AUTHS);
}

function parseScore(text: string, what: string): Path {
  try {
    return parsePath(text.trim());
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    throw new UsageError(`${what}: ${error.message}`, { code: error.code, hint: error.hint });
  }
}

/** A day: timers are limited to 2^31 - 1 ms, 24 days. */
const MAX_TIMEOUT_MS = 24 * 3_600_000;

function parseTimeout(text: string, what: string): number {
  const ms = parseDuration(text, what);
  if (ms > 0 && ms <= MAX_TIMEOUT_MS) return ms;
  throw new UsageError(`${what} is not between 1ms and 24h: ${quotedWord(text)}`, { hint: 'write it like 30s' });
}

function parseCount(text: string, what: string): number {
  const count = /^\d+$/.test(text.trim()) ? Number(text) : 0;
  if (count > 0 && Number.isSafeInteger(count)) return count;
  throw new UsageError(`${what} is not a number of requests: ${quotedWord(text)}`, { hint: 'write it like 10000' });
}
