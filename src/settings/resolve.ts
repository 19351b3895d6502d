/**
 * Where a value comes from: command line, variable, what the environment stores, default. Nothing is read before it is
 * asked for, so that a key in a variable works on a machine whose settings are broken.
 */
import type { ParsedArgs } from '../cli/command.ts';
import { type Auth, type SettingName, settingNamed } from '../cli/settings-table.ts';
import type { Context } from '../context.ts';
import type { Path } from '../document/path.ts';
import { IoError, KeyError, UsageError } from '../errors.ts';
import { quotedWord, withholdKeys } from '../text/escape.ts';
import type { WalletFormat } from '../text/secret.ts';
import { baseUrlText, parseBaseUrl } from './base-url.ts';
import { ENVIRONMENT_NAME } from './environments.ts';
import { type JsonObject, readConfig, readKeys, type StoredKey } from './files.ts';
import { type KeyFile, openKeyFile, parseKey, waitForKeyFile } from './key.ts';
import { commandWords, runKeyCommand } from './key-command.ts';
import { once } from './once.ts';
import { PARSERS, type Values } from './values.ts';

interface Sourced<T> {
  readonly value: T;
  /** `--timeout`, `RISKCLI_TIMEOUT`, `config.json (prod)`, `keys.json (prod)` or `default`. */
  readonly source: string;
}

interface FoundKey {
  /** Undefined as long as the command that prints it has not been run. */
  readonly value: string | undefined;
  /** As of a setting; with the command, where there is one. */
  readonly source: string;
  /** Present when the key, or its command, is a stored one. */
  readonly stored?: StoredKey;
}

/** Durations are milliseconds. Every member throws a UsageError when its text is wrong, an IoError for a broken file. */
export interface Settings {
  readonly environment: Sourced<string>;
  /** Whether --sandbox was typed: base URL and key are then the sandbox's own. */
  readonly isSandbox: boolean;
  /** @throws UsageError that names the ways to go on when no base URL is known. */
  baseUrl(): Sourced<URL>;
  /** The key that may be sent to baseUrl(). @throws KeyError for none, UsageError for one stored for another origin. */
  key(): Sourced<string>;
  /** Where that key comes from; runs no command. @throws as key() */
  usableKey(): FoundKey;
  /** The key wherever it may be sent; undefined when there is none. Runs no command. */
  findKey(): FoundKey | undefined;
  /** Waits for a pipe that brings the key; to be called before what looks at it. @throws KeyError, SignalError */
  waitForKeyFile(): Promise<void>;
  /**
   * The same, and runs the command that prints the key, once; to be called before what sends it.
   * @throws KeyError, SignalError; UsageError when no base URL is known, or one that the command is not for
   */
  waitForKey(): Promise<void>;
  /** A setting as it was spelled, checked; undefined when nobody said anything and it has no default. */
  text(name: SettingName): Sourced<string> | undefined;
  readonly auth: Sourced<Auth>;
  readonly timeoutMs: Sourced<number>;
  readonly maxWaitMs: Sourced<number>;
  readonly monthlyRequests: Sourced<number | undefined>;
  readonly score: Sourced<Path | undefined>;
  readonly walletFormat: Sourced<WalletFormat>;
}

/** What a run may touch, and the settings that were resolved for it. */
export interface ResolvedRun {
  readonly settings: Settings;
  readonly context: Context;
}

/** Where values may come from: known before any of them is looked up. */
interface Sources {
  readonly typed: ParsedArgs;
  readonly context: Context;
  readonly environment: Sourced<string>;
  /** `-e` was typed: base URL and key are that environment's own, whatever the variables say. */
  readonly pinned: boolean;
  readonly storedSettings: () => JsonObject;
  readonly storedKey: () => StoredKey | undefined;
  readonly foundKey: () => FoundKey | undefined;
  /** The file that RISKCLI_API_KEY_FILE names, if it is set. */
  readonly keyFile: () => KeyFile | undefined;
  /** What the command that is stored for the key has printed; undefined before it has been run. */
  printedKey: string | undefined;
}

/**
 * The settings of a run. A command calls this once and hands the result on: a key that comes through a pipe can be read
 * only once, and a note about a broken file is to be made only once.
 * @throws UsageError when the name of the environment cannot be one.
 */
export function resolveSettings(typed: ParsedArgs, context: Context): Settings {
  const environment = chooseEnvironment(typed, context);
  context.report.concern({ environment: typed.on('sandbox') ? 'sandbox' : environment.value });
  const sources: Sources = {
    typed,
    context,
    environment,
    pinned: environment.source === '--env',
    storedSettings: once(() => storedSettings(sources)),
    storedKey: once(() => readKeys(context).get(environment.value)),
    foundKey: once(() => {
      const found = findKey(sources);
      context.report.withhold(found?.value ?? '');
      return found;
    }),
    printedKey: undefined,
    keyFile: once(() => {
      const path = keyVariable(sources, 'RISKCLI_API_KEY_FILE');
      return path === undefined ? undefined : openKeyFile(path);
    }),
  };
  return {
    environment,
    isSandbox: typed.on('sandbox'),
    baseUrl: () => baseUrl(sources),
    key() {
      const { value, source } = usableKey(sources);
      if (value === undefined) throw new Error('the command that prints the key has not been run');
      return { value, source };
    },
    usableKey: () => usableKey(sources),
    findKey: () => found(sources),
    waitForKeyFile: () => waitForFile(sources),
    async waitForKey() {
      baseUrl(sources);
      await waitForFile(sources);
      await runCommand(sources);
    },
    text: (name) => checkedText(sources, name),
    get auth() {
      return withDefault(sources, 'auth');
    },
    get timeoutMs() {
      return withDefault(sources, 'timeout');
    },
    get maxWaitMs() {
      return withDefault(sources, 'max-wait');
    },
    get monthlyRequests() {
      return find(sources, 'monthly-requests') ?? UNSET;
    },
    get score() {
      return find(sources, 'score') ?? UNSET;
    },
    get walletFormat() {
      return withDefault(sources, 'wallet-format');
    },
  };
}

const UNSET = { value: undefined, source: 'default' };

/** Blank counts as unset everywhere. */
const present = (text: string | undefined) => (text?.trim() ? text : undefined);

function chooseEnvironment(typed: ParsedArgs, context: Context): Sourced<string> {
  const [typedName, variable] = [present(typed.text('env')), present(context.env.RISKCLI_ENV)];
  const value = (typedName ?? variable ?? 'default').trim();
  const source = typedName ? '--env' : variable ? 'RISKCLI_ENV' : 'default';
  // A name is stored and shown: a key that was typed for it would be in config.json and in `config list`.
  const isKey = withholdKeys(value) !== value || value === context.env.RISKCLI_API_KEY?.trim();
  if (isKey) {
    throw new UsageError(`${source} names an environment, and is given what may be an API key`, {
      hint: 'a key never goes on the command line: set RISKCLI_API_KEY, or store it with riskcli keys set',
    });
  }
  if (ENVIRONMENT_NAME.test(value)) return { value, source };
  throw new UsageError(`${source} is not a valid environment name: ${quotedWord(value)}`, {
    hint: 'use up to 63 letters, digits, dots, dashes and underscores, starting with a letter or digit',
  });
}

/** What config.json says; when base URL and key are both given without it, a broken one costs only its settings. */
function storedSettings(sources: Sources): JsonObject {
  try {
    return readConfig(sources.context).get(sources.environment.value) ?? {};
  } catch (error) {
    if (!(error instanceof IoError) || !standsAlone(sources)) throw error;
    sources.context.report.notice(`${error.message}; its settings are ignored`);
    return {};
  }
}

function standsAlone({ typed, context: { env }, pinned }: Sources): boolean {
  if (typed.on('sandbox')) return true;
  const hasBaseUrl = present(typed.text('base-url')) ?? present(env.RISKCLI_BASE_URL);
  const hasKey = present(env.RISKCLI_API_KEY) ?? present(env.RISKCLI_API_KEY_FILE);
  return !pinned && hasBaseUrl !== undefined && hasKey !== undefined;
}

/** A setting as it was spelled, and where. */
function findText(sources: Sources, name: SettingName): Sourced<string> | undefined {
  const { typed, context, environment, pinned } = sources;
  const { flag, variable, fallback } = settingNamed(name) ?? {};
  const typedText = flag && present(typed.text(flag));
  if (typedText) return { value: typedText, source: `--${flag}` };
  const set = variable && !(pinned && name === 'base-url') ? present(context.env[variable]) : undefined;
  if (set) return { value: set, source: variable ?? '' };
  const source = `config.json (${environment.value})`;
  const stored = storedText(sources.storedSettings()[name], `${name} in ${source}`);
  if (stored) return { value: stored, source };
  const forKey = name === 'base-url' ? present(sources.storedKey()?.baseUrl) : undefined;
  if (forKey) return { value: forKey, source: `keys.json (${environment.value})` };
  return fallback === undefined ? undefined : { value: fallback, source: 'default' };
}

/** Config management may write 30 for "30". */
function storedText(value: unknown, what: string): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'string' || typeof value === 'number') return present(String(value));
  throw new UsageError(`${what} is neither text nor a number`, { hint: 'store it again with riskcli config set' });
}

function find<N extends SettingName>(sources: Sources, name: N): Sourced<Values[N]> | undefined {
  const text = findText(sources, name);
  if (!text) return undefined;
  const what =
    text.source.startsWith('--') || text.source.startsWith('RISKCLI_') ? text.source : `${name} in ${text.source}`;
  return { value: PARSERS[name](text.value, what), source: text.source };
}

/** For settings whose row in the table has a default. */
function withDefault<N extends SettingName>(sources: Sources, name: N): Sourced<Values[N]> {
  const found = find(sources, name);
  if (!found) throw new Error(`the setting ${name} has no default`);
  return found;
}

function checkedText(sources: Sources, name: SettingName): Sourced<string> | undefined {
  find(sources, name);
  return findText(sources, name);
}

function baseUrl(sources: Sources): Sourced<URL> {
  const { environment, pinned, context, typed } = sources;
  const found = find(sources, 'base-url');
  if (found) {
    if (!typed.on('sandbox')) context.report.concern({ url: baseUrlText(found.value) });
    return found;
  }
  const passedOver = pinned && present(context.env.RISKCLI_BASE_URL) ? ' (-e ignores RISKCLI_BASE_URL)' : '';
  throw new UsageError(`no base URL is known for the environment ${environment.value}${passedOver}`, {
    code: 'no_base_url',
    hint: `give --base-url URL, store one with ${keysSet(environment.value)} --base-url URL, or try profile --sandbox`,
  });
}

/** A variable about the key; -e passes over it. */
function keyVariable({ context, pinned }: Sources, name: string): string | undefined {
  return pinned ? undefined : present(context.env[name]);
}

function findKey(sources: Sources): FoundKey | undefined {
  const { environment } = sources;
  const key = keyVariable(sources, 'RISKCLI_API_KEY');
  const file = sources.keyFile();
  if (key && file) {
    throw new UsageError('RISKCLI_API_KEY and RISKCLI_API_KEY_FILE are both set', { hint: 'unset one of them' });
  }
  if (key) return { value: parseKey(key, 'RISKCLI_API_KEY'), source: 'RISKCLI_API_KEY' };
  if (file) return { value: file.key(), source: 'RISKCLI_API_KEY_FILE' };
  const stored = sources.storedKey();
  const source = `keys.json (${environment.value})`;
  if (stored?.command) return { value: undefined, source: `${source}: ${commandWords(stored.command)}`, stored };
  return stored && { value: parseKey(stored.key, source), source, stored };
}

function found(sources: Sources): FoundKey | undefined {
  const key = sources.foundKey();
  return key?.stored?.command ? { ...key, value: sources.printedKey } : key;
}

function usableKey(sources: Sources): FoundKey {
  const key = found(sources);
  if (!key) throw missingKey(sources);
  if (key.stored) refuseOtherOrigin(key.stored, baseUrl(sources));
  return key;
}

async function waitForFile(sources: Sources): Promise<void> {
  const { context } = sources;
  const file = sources.keyFile();
  if (!file || file.readOn()) return;
  await waitForKeyFile(file, { context, timeoutMs: withDefault(sources, 'timeout').value });
}

async function runCommand(sources: Sources): Promise<void> {
  const { context, typed } = sources;
  const stored = sources.foundKey()?.stored;
  if (!stored?.command || sources.printedKey !== undefined) return;
  refuseOtherOrigin(stored, baseUrl(sources));
  sources.printedKey = await runKeyCommand(stored.command, { context, mayAsk: !typed.on('no-input') });
  context.report.withhold(sources.printedKey);
}

/** A stored key is for one origin (RFC 6454), whatever says otherwise. */
function refuseOtherOrigin(stored: StoredKey, { value: url, source }: Sourced<URL>): void {
  const own = parseBaseUrl(stored.baseUrl, 'base_url in keys.json');
  if (own.origin === url.origin) return;
  throw new UsageError(`the stored key is for ${own.origin}, but ${source} says ${baseUrlText(url)}`, {
    code: 'other_origin',
    hint: `leave that out, or store a key for it with riskcli keys set --base-url ${baseUrlText(url)}`,
  });
}

const keysSet = (environment: string) => `riskcli keys set${environment === 'default' ? '' : ` -e ${environment}`}`;

function missingKey({ environment, pinned }: Sources): KeyError {
  const { value: name } = environment;
  const set = keysSet(name);
  return new KeyError(`there is no API key for the environment ${name}`, {
    code: 'key_missing',
    hint: pinned
      ? `store one with ${set}, or leave -e out to use RISKCLI_API_KEY`
      : `set RISKCLI_API_KEY, or store one with ${set}`,
  });
}
