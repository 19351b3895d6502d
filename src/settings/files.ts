/**
 * Reads config.json and keys.json. Reading writes nothing, and a file that another user could have
 * written is not trusted: it says where keys are sent.
 */
import { fchmodSync, fstatSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Context } from '../context.ts';
import { IoError } from '../errors.ts';
import { closeQuietly } from '../files/close-file.ts';
import { fileError, systemCode } from '../files/file-error.ts';
import { octal, refuseUntrusted } from '../files/file-trust.ts';
import { IrregularFileError, openRegular } from '../files/open-regular.ts';
import { configFolder, OTHER_FOLDER, refuseForeignFolder } from './folders.ts';

export type StoredFile = 'config.json' | 'keys.json';
export type JsonObject = Readonly<Record<string, unknown>>;

/**
 * An environment's entry in keys.json: its key, or the command that prints it, a program and its
 * arguments.
 */
export type StoredKey = {
  /** The key may be sent only to the origin of this URL. */
  readonly baseUrl: string;
  /** ISO 8601. */
  readonly storedAt: string | undefined;
} & KeySource;

type KeySource =
  | { readonly key: string; readonly command?: undefined }
  | { readonly command: readonly string[]; readonly key?: undefined };

/** The version of both files' format. */
export const FORMAT_VERSION = 1;

/** The member that holds one object for each environment. */
const MEMBER = { 'config.json': 'environments', 'keys.json': 'keys' } as const;

/** The settings of each environment in config.json, unchecked. @throws IoError */
export function readConfig(context: Context): ReadonlyMap<string, JsonObject> {
  return readSettingsFile(context, 'config.json').environments;
}

/**
 * Letters, digits and `._-`, a letter or digit first: safe in a file name, a shell and a command
 * line. Shorter than 64, since 64 hex digits may be a private key.
 */
export const ENVIRONMENT_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/;

/**
 * The environments that this machine knows, by name, without invalid ones, which could be unsafe in
 * a shell. @throws IoError
 */
export function environmentNames(context: Context): readonly string[] {
  const names = new Set([...readConfig(context).keys(), ...readKeys(context).keys()]);
  return [...names].filter((name) => ENVIRONMENT_NAME.test(name)).sort();
}

/** The keys in keys.json, or the commands that print them, by environment. @throws IoError */
export function readKeys(context: Context): ReadonlyMap<string, StoredKey> {
  const { path, environments } = readSettingsFile(context, 'keys.json');
  return new Map([...environments].map(([name, entry]) => [name, storedKey(entry, path)]));
}

function storedKey(entry: JsonObject, path: string): StoredKey {
  const { key, command, base_url: baseUrl, stored_at: storedAt } = entry;
  const source = sourceOf(key, command);
  if (!source || typeof baseUrl !== 'string') throw damagedSettings(path);
  return { ...source, baseUrl, storedAt: typeof storedAt === 'string' ? storedAt : undefined };
}

/** Undefined if there is neither, or both, or a command that cannot be run. */
function sourceOf(key: unknown, command: unknown): KeySource | undefined {
  if (command === undefined) return typeof key === 'string' ? { key } : undefined;
  const isCommand = Array.isArray(command) && command.every((word) => typeof word === 'string' && !word.includes('\0'));
  return isCommand && command[0] && key === undefined ? { command } : undefined;
}

/**
 * The contents of `file`, nothing when there is none.
 * @throws IoError when it is not a regular file, others can write it, it is damaged or from a newer
 * version
 */
export function readSettingsFile(context: Context, file: StoredFile) {
  const folder = configFolder(context);
  const path = join(folder ?? '', file);
  const text = folder === undefined ? undefined : readTrusted(path, file === 'keys.json', context);
  const document = text === undefined ? {} : parse(text);
  if (!isObject(document)) throw damagedSettings(path);
  const { version = FORMAT_VERSION, [MEMBER[file]]: member = {} } = document;
  if (typeof version !== 'number') throw damagedSettings(path);
  if (version > FORMAT_VERSION)
    throw new IoError(`${path} was written by a newer version of riskcli`, { hint: 'update riskcli' });
  if (!isObject(member)) throw damagedSettings(path);
  const entries = Object.entries(member);
  // A Map, since an environment may be called `constructor`.
  const environments = new Map(entries.filter((entry): entry is [string, JsonObject] => isObject(entry[1])));
  if (environments.size < entries.length) throw damagedSettings(path);
  return { path, document, environments };
}

/**
 * Undefined when `text` is not JSON. Errors of JSON.parse quote their input, so they are not passed
 * on.
 */
function parse(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''));
  } catch {
    return undefined;
  }
}

/** Enough for thousands of environments. */
const MAX_SETTINGS_BYTES = 4 * 1024 * 1024;

/**
 * The text of a regular file that only we can write and, if `isSecret`, read; undefined when there
 * is none.
 */
function readTrusted(path: string, isSecret: boolean, context: Context): string | undefined {
  const fd = openSettingsFile(path);
  if (fd === undefined) return undefined;
  try {
    const stats = fstatSync(fd);
    if (stats.size > MAX_SETTINGS_BYTES) throw damagedSettings(path);
    if (context.platform !== 'win32') {
      refuseUntrusted(path, { stats, uid: context.uid, alternative: OTHER_FOLDER });
      refuseForeignFolder(dirname(path), context);
      if (isSecret && stats.mode & 0o077)
        makePrivate(fd, `${path} was readable by others (mode ${octal(stats.mode)})`, context);
    }
    return readFileSync(fd, 'utf8');
  } catch (error) {
    throw error instanceof IoError ? error : unreadableSettings(path, error);
  } finally {
    closeQuietly(fd);
  }
}

/** Undefined when there is none. */
function openSettingsFile(path: string): number | undefined {
  try {
    return openRegular(path);
  } catch (error) {
    const code = systemCode(error);
    // ENOTDIR: the home folder of a service is often /dev/null.
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    if (error instanceof IrregularFileError) {
      throw new IoError(`${path} is ${error.kind}`, { hint: 'put a regular file there, or move it away' });
    }
    throw unreadableSettings(path, error);
  }
}

function makePrivate(fd: number, was: string, context: Context): void {
  try {
    fchmodSync(fd, 0o600);
    context.report.warn(`${was} and is now private; if others use this machine, replace the keys in it`);
  } catch {
    context.report.warn(`${was}, and its mode cannot be changed`);
  }
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function damagedSettings(path: string): IoError {
  return new IoError(`${path} is damaged: it does not contain what riskcli writes`, {
    hint: 'repair it, or move it away and store its settings again',
  });
}

function unreadableSettings(path: string, cause: unknown): IoError {
  return fileError(`${path} cannot be read`, {
    cause,
    hint: 'make it readable, or set RISKCLI_CONFIG_DIR to another folder',
  });
}
