/**
 * Where settings and learned state live, and whether that place is this user's own. A relative value is never used: it
 * would put a key into whatever folder the command happened to be started in.
 */
import { mkdirSync, statSync } from 'node:fs';
import { dirname, posix, win32 } from 'node:path';
import type { Host } from '../context.ts';
import { IoError, UsageError } from '../errors.ts';
import { refuseUntrustedFolder } from '../files/file-trust.ts';
import { refuseWindowsFolder } from '../files/windows-name.ts';

type FolderHost = Pick<Host, 'env' | 'home' | 'platform'>;
type Owner = Pick<Host, 'platform' | 'uid'>;

const OWN = 'riskcli';

/**
 * The folder of config.json and keys.json; undefined where there is none (no home folder).
 * XDG Base Directory Specification: a relative XDG_CONFIG_HOME is ignored.
 * @throws UsageError when RISKCLI_CONFIG_DIR is relative.
 */
export function configFolder(host: FolderHost): string | undefined {
  const own = host.env.RISKCLI_CONFIG_DIR?.trim();
  if (own) {
    if (pathOf(host).isAbsolute(own)) return own;
    throw new UsageError('RISKCLI_CONFIG_DIR is not an absolute path', { hint: 'write the whole path, or unset it' });
  }
  if (host.platform === 'win32') return inside(host, host.env.APPDATA, ['AppData', 'Roaming']);
  return inside(host, host.env.XDG_CONFIG_HOME, ['.config']);
}

/** The same folder for a command that needs one. @throws IoError where there is none. */
export function requireFolder(host: FolderHost): string {
  const folder = configFolder(host);
  if (folder !== undefined) return folder;
  throw new IoError('there is no home folder to store settings in', {
    hint: 'set HOME or RISKCLI_CONFIG_DIR, or use RISKCLI_API_KEY and RISKCLI_BASE_URL',
  });
}

/** The same folder, to store something in. @throws IoError where there is none, or others could have a hand in it. */
export function requireOwnFolder(host: FolderHost & Owner): string {
  const folder = requireFolder(host);
  refuseForeignFolder(folder, host);
  return folder;
}

/** The variable that names where that folder is made. */
export const stateVariable = ({ platform }: Pick<FolderHost, 'platform'>) =>
  platform === 'win32' ? 'LOCALAPPDATA' : 'XDG_STATE_HOME';

/** The folder of what riskcli learns (limits, counts); undefined where there is none. */
export function stateFolder(host: FolderHost): string | undefined {
  const below = host.platform === 'win32' ? ['AppData', 'Local'] : ['.local', 'state'];
  return inside(host, host.env[stateVariable(host)], below);
}

/** What helps where settings cannot be kept or believed. */
export const OTHER_FOLDER = 'use RISKCLI_CONFIG_DIR';

/**
 * Refuses a folder into which another user could have put something: sudo may leave root with the HOME of somebody else,
 * whose settings must not become root's. Windows has neither owners by number nor modes: there what protects keys.json is
 * the access control list of the user's profile, which AppData inherits, and a folder elsewhere is as open as it was made; but
 * some names no folder can have.
 * @throws IoError
 */
export function refuseForeignFolder(folder: string, { platform, uid }: Owner): void {
  if (platform === 'win32') refuseWindowsFolder(folder, { platform });
  else refuseUntrustedFolder(folder, { uid, elsewhere: OTHER_FOLDER });
}

/**
 * Makes `folder`, which was judged, for this user alone where it is missing.
 * @throws IoError, or what the system has against it
 */
export function makeOwnFolder(folder: string, owner: Owner): void {
  makeFolder(folder);
  // In a folder that others can write, a link of theirs may have been faster.
  refuseForeignFolder(folder, owner);
}

/** Node's own recursive mkdir never ends where a folder is missing and its making says so, too, as in /proc. */
function makeFolder(folder: string): void {
  if (isFolder(folder)) return;
  const parent = dirname(folder);
  if (parent !== folder) makeFolder(parent);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process may have been faster.
    if (!isFolder(folder)) throw error;
  }
}

const isFolder = (path: string) => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

const pathOf = ({ platform }: FolderHost) => (platform === 'win32' ? win32 : posix);

/** riskcli's folder in `named`, where that is absolute, else in `below` the home folder. */
function inside(host: FolderHost, named: string | undefined, below: readonly string[]): string | undefined {
  const { isAbsolute, join } = pathOf(host);
  const usable = (folder: string | undefined): folder is string => folder !== undefined && isAbsolute(folder);
  const base = usable(named) ? named : usable(host.home) ? join(host.home, ...below) : undefined;
  return base && join(base, OWN);
}
