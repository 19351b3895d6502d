/** The folders in which riskcli keeps files: who owns them, who can write them, what killed runs left in them. */
import { accessSync, constants, lstatSync, type Stats, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Context } from '../../context.ts';
import { shownPath } from '../../files/file-error.ts';
import { octal } from '../../files/file-trust.ts';
import { readConfig, readKeys } from '../../settings/files.ts';
import { configFolder, refuseForeignFolder, stateFolder, stateVariable } from '../../settings/folders.ts';
import type { ResolvedRun } from '../../settings/resolve.ts';
import { attempt, type Finding, failed, ok, warn } from './finding.ts';

export async function checkConfigFolder({ context }: ResolvedRun): Promise<readonly Finding[]> {
  return attempt('config-folder', async () => {
    const folder = configFolder(context);
    if (folder === undefined) {
      return [warn('config-folder', 'there is no home folder to store settings in', 'set HOME or RISKCLI_CONFIG_DIR')];
    }
    refuseForeignFolder(folder, context);
    if (!look(folder)) {
      return [ok('config-folder', `${shownPath(folder)}, which is not there yet`)];
    }
    const keys = join(folder, 'keys.json');
    const before = openMode(keys, context);
    return [
      ok('config-folder', `${shownPath(folder)}${canWrite(folder) ? '' : ', which is read-only'}`),
      ...unreadable('config.json', () => readConfig(context)),
      // Reading it makes it private.
      ...unreadable('keys.json', () => readKeys(context)),
      ...(before === undefined ? [] : [wasReadable(keys, { before, isStill: openMode(keys, context) !== undefined })]),
    ];
  });
}

/** Why a file cannot be read; nothing if it can: its settings are checked one by one. */
function unreadable(check: string, read: () => unknown): readonly Finding[] {
  try {
    read();
    return [];
  } catch (error) {
    return [failed(check, error)];
  }
}

/** The mode of the file at `path` if others can read or write it. A link is not followed: the file that it leads to is not read. */
function openMode(path: string, { platform }: Pick<Context, 'platform'>): number | undefined {
  if (platform === 'win32') return undefined;
  const stats = look(path, lstatSync);
  return stats?.isFile() && (stats.mode & 0o077) !== 0 ? stats.mode : undefined;
}

function wasReadable(
  path: string,
  { before, isStill }: { readonly before: number; readonly isStill: boolean },
): Finding {
  const finding = `${shownPath(path)} ${isStill ? 'is' : 'was'} open to others (mode ${octal(before)})`;
  const first = isStill ? 'run chmod 600 on it' : 'it is private now';
  return warn('keys.json', finding, `${first}; if others use this machine, replace the keys in it`);
}

export function checkStateFolder({ context }: ResolvedRun): readonly Finding[] {
  const check = 'state-folder';
  const lost = 'the limit of the key and the requests of the month are forgotten after each run';
  const folder = stateFolder(context);
  const variable = stateVariable(context);
  if (folder === undefined) return [warn(check, `there is no home folder, so ${lost}`, `set HOME or ${variable}`)];
  try {
    refuseForeignFolder(folder, context);
  } catch (error) {
    const reason = error instanceof Error ? error.message : '';
    return [warn(check, `${reason}, so ${lost}`, `change its owner, run chmod go-w on it, or set ${variable}`)];
  }
  const mode = look(folder)?.mode ?? 0;
  if (context.platform !== 'win32' && mode & 0o022) {
    const finding = `${shownPath(folder)} is writable by others (mode ${octal(mode)}), so ${lost}`;
    return [warn(check, finding, 'run chmod go-w on it')];
  }
  if (canWrite(nearest(folder))) return [ok(check, shownPath(folder))];
  return [warn(check, `${shownPath(folder)} cannot be written, so ${lost}`, `make it writable, or set ${variable}`)];
}

/** The stats of `path`; undefined if nothing is there, or it may not be looked at. */
function look(path: string, how: (path: string) => Stats = statSync): Stats | undefined {
  try {
    return how(path);
  } catch {
    return undefined;
  }
}

/** `path`, or the nearest folder above it that exists. */
function nearest(path: string): string {
  const parent = dirname(path);
  return look(path) || parent === path ? path : nearest(parent);
}

function canWrite(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
    return look(folder)?.isDirectory() ?? false;
  } catch {
    return false;
  }
}
