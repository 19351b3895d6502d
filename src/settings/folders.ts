/**
 * The folders of settings and state, and whether they are this user's own. A relative value is
 * never used: it would put a key into whatever folder the command is started in.
 */
import { posix, win32 } from 'node:path';
import type { Host } from '../context.ts';
import { IoError, UsageError } from '../errors.ts';
import { refuseUntrustedFolder } from '../files/file-trust.ts';
import { makeFolder } from '../files/make-folder.ts';

const FOLDER_NAME = 'riskcli';

/**
 * The folder of config.json and keys.json; undefined without a home folder.
 * XDG Base Directory Specification: a relative XDG_CONFIG_HOME is ignored.
 * @throws UsageError when RISKCLI_CONFIG_DIR is relative
 */
export function configFolder(host: Host): string | undefined {
  const own = host.env.RISKCLI_CONFIG_DIR?.trim();
  if (own) {
    if (pathModule(host).isAbsolute(own)) return own;
    throw new UsageError('RISKCLI_CONFIG_DIR is not an absolute path', { hint: 'write the whole path, or unset it' });
  }
  if (host.platform === 'win32') return folderIn(host, host.env.APPDATA, ['AppData', 'Roaming']);
  return folderIn(host, host.env.XDG_CONFIG_HOME, ['.config']);
}

/** The same folder, for a command that needs it. @throws IoError when there is none */
export function requireFolder(host: Host): string {
  const folder = configFolder(host);
  if (folder !== undefined) return folder;
  throw new IoError('there is no home folder to store settings in', {
    hint: 'set HOME or RISKCLI_CONFIG_DIR, or use RISKCLI_API_KEY and RISKCLI_BASE_URL',
  });
}

/**
 * The same folder, to store something in. @throws IoError when there is none, or others can write
 * to it
 */
export function requireOwnFolder(host: Host): string {
  const folder = requireFolder(host);
  refuseForeignFolder(folder, host);
  return folder;
}

/** The variable that names the parent of the state folder. */
export const stateVariable = ({ platform }: Host) => (platform === 'win32' ? 'LOCALAPPDATA' : 'XDG_STATE_HOME');

/** The folder of what riskcli remembers (limits, counts); undefined if there is none. */
export function stateFolder(host: Host): string | undefined {
  const below = host.platform === 'win32' ? ['AppData', 'Local'] : ['.local', 'state'];
  return folderIn(host, host.env[stateVariable(host)], below);
}

/**
 * The folder of what riskcli remembers, whether or not it is there yet.
 * @throws IoError when there is none, or when another user could have put files or links into it:
 * so its files need not be checked one by one
 */
export function requireStateFolder(host: Host): string {
  const folder = stateFolder(host);
  const alternative = `set ${stateVariable(host)} to a folder of your own`;
  if (folder === undefined) throw new IoError('there is no home folder', { hint: alternative });
  if (host.platform !== 'win32') refuseUntrustedFolder(folder, { uid: host.uid, trustsGroup: false, alternative });
  return folder;
}

/** The hint when settings cannot be stored or trusted. */
export const OTHER_FOLDER = 'use RISKCLI_CONFIG_DIR';

/**
 * Refuses a folder into which another user could have put something: sudo may leave root with
 * another user's HOME, whose settings must not become root's. Windows has neither numeric owners
 * nor modes: there the access control list of the user's profile, which AppData inherits, protects
 * keys.json.
 * @throws IoError
 */
export function refuseForeignFolder(folder: string, { platform, uid }: Host): void {
  if (platform !== 'win32') refuseUntrustedFolder(folder, { uid, alternative: OTHER_FOLDER });
}

/**
 * Makes `folder`, which was checked, for this user only, if it does not exist.
 * @throws IoError, or the system's error
 */
export function makeOwnFolder(folder: string, owner: Host): void {
  makeFolder(folder);
  // In a folder that others can write, they may have put a link there meanwhile.
  refuseForeignFolder(folder, owner);
}

const pathModule = ({ platform }: Host) => (platform === 'win32' ? win32 : posix);

/** riskcli's folder in `named` if that is absolute, else in `below` of the home folder. */
function folderIn(host: Host, named: string | undefined, below: readonly string[]): string | undefined {
  const { isAbsolute, join } = pathModule(host);
  const usable = (folder: string | undefined): folder is string => folder !== undefined && isAbsolute(folder);
  const base = usable(named) ? named : usable(host.home) ? join(host.home, ...below) : undefined;
  return base && join(base, FOLDER_NAME);
}
