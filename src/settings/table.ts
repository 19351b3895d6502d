/**
 * The one table of settings, with how each is read: their resolution, `riskcli config`, help and
 * completions are made from it.
 */
import { parsePath } from '../document/parse-path.ts';
import type { Path } from '../document/path.ts';
import { UsageError } from '../errors.ts';
import { quotedWord } from '../secrets/redact.ts';
import { AUTHS, type Auth } from '../service/headers.ts';
import { baseUrlText, parseBaseUrl } from './base-url.ts';
import { checkChoice, parseDuration } from './typed-values.ts';

export interface Setting {
  /**
   * The option of the same name, which beats everything: its member among the options of a command.
   */
  readonly option?: string;
  /** The variable that beats what is stored. */
  readonly variable: string;
  /** The default, as text. */
  readonly fallback?: string;
  readonly help: string;
  /** Reads `text`, which stood in `what`; durations become milliseconds. @throws UsageError */
  readonly parse: (text: string, what: string) => unknown;
}

/** By the names under which an environment stores them. */
export const SETTINGS = {
  'base-url': {
    option: 'baseUrl',
    variable: 'RISKCLI_BASE_URL',
    help: 'address of the service',
    parse: parseBaseUrl,
  },
  auth: {
    variable: 'RISKCLI_AUTH',
    fallback: 'x-api-key',
    help: 'header to send the key in: x-api-key or bearer',
    parse: parseAuth,
  },
  timeout: {
    option: 'timeout',
    variable: 'RISKCLI_TIMEOUT',
    fallback: '30s',
    help: 'time limit for one wallet, retries included',
    parse: parseTimeout,
  },
  'max-wait': {
    option: 'maxWait',
    variable: 'RISKCLI_MAX_WAIT',
    fallback: '60s',
    help: 'longest time to wait for rate limits',
    parse: parseDuration,
  },
  'monthly-requests': {
    variable: 'RISKCLI_MONTHLY_REQUESTS',
    help: "the plan's limit of requests a month",
    parse: parseCount,
  },
  score: { variable: 'RISKCLI_SCORE', help: 'path to the headline score', parse: parseScore },
} as const satisfies Readonly<Record<string, Setting>>;

type SettingsTable = typeof SETTINGS;
export type SettingName = keyof SettingsTable;
export const SETTING_NAMES = Object.keys(SETTINGS) as readonly SettingName[];

/** What a setting is once it is read. */
export type SettingValue<N extends SettingName> = ReturnType<SettingsTable[N]['parse']>;
/** The settings that have a default. */
export type DefaultedName = {
  [N in SettingName]: SettingsTable[N] extends { fallback: string } ? N : never;
}[SettingName];
/** What was typed for settings, among the options of a command. */
export type TypedSettings = {
  readonly [N in SettingName as SettingsTable[N] extends { option: infer O extends string } ? O : never]?:
    | string
    | undefined;
};

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
