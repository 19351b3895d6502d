/**
 * Writing config.json and keys.json; the only file that imports conf. Between two of its versions a file is changed
 * under a lock, since conf alone loses what another process wrote in between. conf writes a new file beside the old
 * one, which then takes its place in one step: conf by itself would follow a symlink, and writes in place under Snap.
 */
import { randomBytes } from 'node:crypto';
import { lstatSync, readdirSync, renameSync, rmSync, type Stats } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Context } from '../context.ts';
import { RiskcliError } from '../errors.ts';
import { fileError } from '../file-error.ts';
import { withLock } from '../lock.ts';
import { type JsonObject, readDocument, readKeys, SHAPE_VERSION, type StoredFile } from './files.ts';
import { makeOwnFolder, requireOwnFolder } from './folders.ts';

export interface NewKey {
  readonly environment: string;
  readonly key: string;
  /** As baseUrlText writes it. */
  readonly baseUrl: string;
}

/**
 * Stores a key with the address it is for, in place of an earlier one.
 * @returns the path of the file.
 * @throws IoError
 */
export function storeKey({ environment, key, baseUrl }: NewKey, context: Context): Promise<string> {
  const entry = { key, base_url: baseUrl, stored_at: new Date(context.now()).toISOString() };
  return change('keys.json', context, (document) => withMember(document, ['keys', environment], entry));
}

/** Removes the key of `environment`; false when there was none. @throws IoError */
export async function removeKey(environment: string, context: Context): Promise<boolean> {
  if (!readKeys(context).has(environment)) return false;
  await change('keys.json', context, (document) => withMember(document, ['keys', environment], undefined));
  return true;
}

export interface NewSetting {
  readonly environment: string;
  readonly name: string;
  /** Undefined removes it. */
  readonly value: string | undefined;
}

/** Stores or removes one setting of an environment. @returns the path of the file. @throws IoError */
export function storeSetting({ environment, name, value }: NewSetting, context: Context): Promise<string> {
  return change('config.json', context, (document) => withMember(document, ['environments', environment, name], value));
}

/** A copy of `object` with `value` at `path`, or without it; objects that become empty go too. */
function withMember(object: JsonObject, path: readonly string[], value: unknown): JsonObject {
  const [name = '', ...rest] = path;
  const members = new Map(Object.entries(object));
  const old = members.get(name);
  const changed = rest.length === 0 ? value : withMember((old ?? {}) as JsonObject, rest, value);
  if (changed === undefined || isEmpty(changed)) members.delete(name);
  else members.set(name, changed);
  return Object.fromEntries(members);
}

const isEmpty = (value: unknown) => typeof value === 'object' && value !== null && Object.keys(value).length === 0;

async function change(file: StoredFile, context: Context, edit: (document: JsonObject) => JsonObject): Promise<string> {
  const folder = requireOwnFolder(context);
  const { default: Conf } = await import('conf');
  const path = join(folder, file);
  try {
    makeOwnFolder(folder, context);
    return await withLock(`${path}.lock`, context, () => {
      const { version: _, ...document } = readDocument(context, file);
      removeLeftOvers(path);
      replace(path, { version: SHAPE_VERSION, ...edit(document) }, Conf);
      return path;
    });
  } catch (cause) {
    if (cause instanceof RiskcliError) throw cause;
    throw fileError(`${path} cannot be written`, {
      cause,
      hint: 'make its folder writable, or set RISKCLI_CONFIG_DIR to another one',
    });
  }
}

type ConfClass = typeof import('conf').default;

function replace(path: string, document: JsonObject, Conf: ConfClass): void {
  const old = statusOf(path);
  const fileExtension = `${randomBytes(6).toString('hex')}.new`;
  const conf = new Conf<Record<string, unknown>>({
    cwd: dirname(path),
    configName: basename(path),
    fileExtension,
    projectSuffix: '',
    // config.json keeps the mode that config management gave it.
    configFileMode: path.endsWith('keys.json') || !old ? 0o600 : old.mode & 0o777,
    accessPropertiesByDotNotation: false,
    serialize: (value) => `${JSON.stringify(value, null, 2)}\n`,
  });
  conf.store = { ...document };
  renameSync(conf.path, path);
}

function statusOf(path: string): Stats | undefined {
  return lstatSync(path, { throwIfNoEntry: false });
}

/** Behind the file's name: new files of ours and the temporaries that conf makes of them. */
const LEFT_OVER = /^\.[0-9a-f]{12}\.new(?:\.tmp-[0-9a-f]+)?$/;

/** Under the lock nobody uses what killed writers left. */
function removeLeftOvers(path: string): void {
  const [folder, name] = [dirname(path), basename(path)];
  for (const entry of readdirSync(folder)) {
    if (entry.startsWith(name) && LEFT_OVER.test(entry.slice(name.length)))
      rmSync(join(folder, entry), { force: true });
  }
}
