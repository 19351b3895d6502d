/**
 * Writes config.json and keys.json; the only file that imports conf. A file is read, changed
 * and replaced under a lock, since conf alone would lose what another process stored in between.
 * conf writes the new file beside the old one, under an unpredictable name, and atomic-file.ts puts
 * it in place: conf alone would follow a symlink, uses predictable temporary names, and writes in
 * place under Snap.
 */
import { lstatSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Context } from '../context.ts';
import { LockedError, RiskcliError } from '../errors.ts';
import { type AtomicHost, adoptAtomicFile } from '../files/atomic-file.ts';
import { fileError } from '../files/file-error.ts';
import { type Lock, withLock } from '../files/lock.ts';
import { removeTemporaries, temporaryPath } from '../files/temporaries.ts';
import { FORMAT_VERSION, type JsonObject, readKeys, readSettingsFile, type StoredFile } from './files.ts';
import { makeOwnFolder, requireOwnFolder } from './folders.ts';

/**
 * Stores a key, or the words of the command that prints it, with the base URL it is for, replacing
 * an earlier one.
 * @param baseUrl as baseUrlText writes it
 * @returns the path of the file
 * @throws IoError
 */
export function storeKey(
  environment: string,
  source: { readonly key: string } | { readonly command: readonly string[] },
  baseUrl: string,
  context: Context,
): Promise<string> {
  const entry = { ...source, base_url: baseUrl, stored_at: new Date(context.now()).toISOString() };
  return editFile('keys.json', context, (document) => withMember(document, ['keys', environment], entry));
}

/** Removes the key of `environment`; false when there was none. @throws IoError */
export async function removeStoredKey(environment: string, context: Context): Promise<boolean> {
  if (!readKeys(context).has(environment)) return false;
  await editFile('keys.json', context, (document) => withMember(document, ['keys', environment], undefined));
  return true;
}

/**
 * Stores one setting of an environment, or with undefined removes it. @returns the path of the
 * file. @throws IoError
 */
export function storeSetting(
  environment: string,
  name: string,
  value: string | undefined,
  context: Context,
): Promise<string> {
  return editFile('config.json', context, (document) =>
    withMember(document, ['environments', environment, name], value),
  );
}

/**
 * A copy of `object` with `value` at `path`, or without it if undefined; objects that become empty
 * are removed.
 */
function withMember(object: JsonObject, path: readonly string[], value: unknown): JsonObject {
  const [name = '', ...rest] = path;
  const members = new Map(Object.entries(object));
  const inside = () => withMember((members.get(name) ?? {}) as JsonObject, rest, value);
  const changed = rest.length === 0 ? value : unlessEmpty(inside());
  if (changed === undefined) members.delete(name);
  else members.set(name, changed);
  return Object.fromEntries(members);
}

const unlessEmpty = (object: JsonObject) => (Object.keys(object).length > 0 ? object : undefined);

async function editFile(
  file: StoredFile,
  context: Context,
  edit: (document: JsonObject) => JsonObject,
): Promise<string> {
  const folder = requireOwnFolder(context);
  const path = join(folder, file);
  try {
    makeOwnFolder(folder, context);
    await withLock(`${path}.lock`, context, (lock) => {
      // Under the lock, files that killed writers left are not in use.
      removeTemporaries(path, context.uid);
      const { version: _, ...document } = readSettingsFile(context, file).document;
      const edited = { version: FORMAT_VERSION, ...edit(document) };
      return replaceFile(path, edited, lock, context);
    });
    return path;
  } catch (cause) {
    if (cause instanceof RiskcliError) throw cause;
    throw fileError(`${path} cannot be written`, {
      cause,
      hint: 'make its folder writable, or set RISKCLI_CONFIG_DIR to another folder',
    });
  }
}

/** @param lock must still be held at the end: another process may have stored a key */
async function replaceFile(path: string, document: JsonObject, lock: Lock, host: AtomicHost): Promise<void> {
  const { default: Conf } = await import('conf');
  const old = lstatSync(path, { throwIfNoEntry: false });
  // config.json keeps its mode, which config management may have set.
  const mode = path.endsWith('keys.json') || !old ? 0o600 : old.mode & 0o777;
  const temporary = temporaryPath(path);
  const conf = new Conf<Record<string, unknown>>({
    cwd: dirname(path),
    configName: basename(temporary),
    fileExtension: '',
    projectSuffix: '',
    configFileMode: 0o600,
    accessPropertiesByDotNotation: false,
    serialize: (value) => `${JSON.stringify(value, null, 2)}\n`,
  });
  conf.store = { ...document };
  const file = adoptAtomicFile(path, { temporary, mode, host });
  const checkLock = () => {
    if (lock.isHeld(0)) return;
    throw new LockedError(`${path} was not changed, since another run took over its lock`, {
      hint: 'run the same command again',
    });
  };
  try {
    await file.commit(checkLock);
  } catch (error) {
    // The new holder of the lock removes the temporary file, too.
    checkLock();
    throw error;
  } finally {
    file.discard();
  }
}
