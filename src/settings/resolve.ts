/**
 * The settings of a run. Files are read only when needed, so that a key in a variable works on a
 * machine with broken settings.
 */

import type { Context } from '../context.ts';
import { IoError, UsageError } from '../errors.ts';
import { redactApiKeys } from '../secrets/api-key.ts';
import { quotedWord } from '../secrets/redact.ts';
import { once } from '../text/once.ts';
import { ENVIRONMENT_NAME, type JsonObject, readConfig, readKeys } from './files.ts';
import { openKey } from './key/lookup.ts';
import { baseUrl, checkedText, present, read, type Sourced, type Sources } from './sources.ts';
import type { SettingName, TypedSettings } from './table.ts';

/** The flags about settings, checked by their rows: part of the options of any command. */
export interface SettingFlags extends TypedSettings {
  readonly env?: string | undefined;
  readonly sandbox?: boolean;
  /** Whether a command that prints the key may ask the user. */
  readonly mayPrompt?: boolean;
}

/** Every member throws a UsageError when its text is wrong, an IoError for a broken file. */
export type Settings = ReturnType<typeof resolveSettings>;

export interface ResolvedRun {
  readonly settings: Settings;
  readonly context: Context;
}

/**
 * The settings of a run. A command calls this once and passes the result on: a warning about a
 * broken file should be printed once.
 * @throws UsageError when the name of the environment is not valid
 */
export function resolveSettings(flags: SettingFlags, context: Context) {
  const { sandbox: isSandbox = false, mayPrompt = true } = flags;
  const environment = chooseEnvironment(flags.env, context);
  context.report.setContext({ environment: isSandbox ? 'sandbox' : environment.value });
  const sources: Sources = {
    typed: flags,
    isSandbox,
    context,
    environment,
    pinned: environment.source === '--env',
    storedSettings: once(() => storedSettings(sources)),
    storedKey: once(() => readKeys(context).get(environment.value)),
  };
  return {
    environment,
    /** Whether --sandbox was typed: then base URL and key are the sandbox's. */
    isSandbox,
    /** @throws UsageError when no base URL is known, which names the ways to give one */
    baseUrl: (hint?: string) => baseUrl(sources, hint),
    ...openKey(sources, mayPrompt),
    /** A setting as it was spelled, checked; undefined when it is not set and has no default. */
    text: (name: SettingName) => checkedText(sources, name),
    /** The value of a setting; undefined when it is not set and has no default. */
    get: <N extends SettingName>(name: N) => read(sources, name),
  };
}

function chooseEnvironment(typed: string | undefined, context: Context): Sourced<string> {
  const [typedName, variable] = [present(typed), present(context.env.RISKCLI_ENV)];
  const value = (typedName ?? variable ?? 'default').trim();
  const source = typedName ? '--env' : variable ? 'RISKCLI_ENV' : 'default';
  // A name is stored and shown: a key typed in its place would be in config.json and in `config
  // list`.
  const isKey = redactApiKeys(value) !== value || value === context.env.RISKCLI_API_KEY?.trim();
  if (isKey) {
    throw new UsageError(`${source} takes the name of an environment, and this may be an API key`, {
      hint: 'a key never goes on the command line: set RISKCLI_API_KEY, or store it with riskcli keys set',
    });
  }
  if (ENVIRONMENT_NAME.test(value)) return { value, source };
  throw new UsageError(`${source} is not a valid environment name: ${quotedWord(value)}`, {
    hint: 'use up to 63 letters, digits, dots, dashes and underscores, starting with a letter or digit',
  });
}

/**
 * The environment's settings in config.json; a broken file is only a warning if base URL and key
 * are given elsewhere.
 */
function storedSettings(sources: Sources): JsonObject {
  try {
    return readConfig(sources.context).get(sources.environment.value) ?? {};
  } catch (error) {
    if (!(error instanceof IoError) || !isCompleteWithoutFile(sources)) throw error;
    sources.context.report.warn(`${error.message}; its settings are ignored`);
    return {};
  }
}

function isCompleteWithoutFile({ typed, isSandbox, context: { env }, pinned }: Sources): boolean {
  if (isSandbox) return true;
  const hasBaseUrl = present(typed['base-url']) ?? present(env.RISKCLI_BASE_URL);
  const hasKey = present(env.RISKCLI_API_KEY) ?? present(env.RISKCLI_API_KEY_FILE);
  return !pinned && hasBaseUrl !== undefined && hasKey !== undefined;
}
