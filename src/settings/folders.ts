/**
 * Where settings and learned state live. A relative value is never used: it would put a key into whatever folder the
 * command happened to be started in.
 */
import { posix, win32 } from 'node:path';
import type { Host } from '../context.ts';
import { IoError, UsageError } from '../errors.ts';

type Place = Pick<Host, 'env' | 'home' | 'platform'>;

const OWN = 'riskcli';

/**
 * The folder of config.json and keys.json; undefined where there is none (no home folder).
 * XDG Base Directory Specification: a relative XDG_CONFIG_HOME is ignored.
 * @throws UsageError when RISKCLI_CONFIG_DIR is relative.
 */
export function configFolder(place: Place): string | undefined {
  const own = place.env.RISKCLI_CONFIG_DIR?.trim();
  if (own) {
    if (pathOf(place).isAbsolute(own)) return own;
    throw new UsageError('RISKCLI_CONFIG_DIR is not an absolute path', { hint: 'start it with /, or unset it' });
  }
  if (place.platform === 'win32') return inside(place, [place.env.APPDATA], ['AppData', 'Roaming']);
  return inside(place, [place.env.XDG_CONFIG_HOME], ['.config']);
}

/** The same where one is needed. @throws IoError where there is none. */
export function requireFolder(place: Place): string {
  const folder = configFolder(place);
  if (folder !== undefined) return folder;
  throw new IoError('there is no home folder to store settings in', {
    hint: 'set HOME or RISKCLI_CONFIG_DIR, or use RISKCLI_API_KEY and RISKCLI_BASE_URL',
  });
}

/** The folder of what riskcli learns (limits, counts); undefined where there is none. */
export function stateFolder(place: Place): string | undefined {
  if (place.platform === 'win32') return inside(place, [place.env.LOCALAPPDATA], ['AppData', 'Local']);
  return inside(place, [place.env.XDG_STATE_HOME], ['.local', 'state']);
}

const pathOf = ({ platform }: Place) => (platform === 'win32' ? win32 : posix);

/** riskcli's folder in the first absolute one of `named`, else in `below` the home folder. */
function inside(place: Place, named: readonly (string | undefined)[], below: readonly string[]): string | undefined {
  const { isAbsolute, join } = pathOf(place);
  const usable = (folder: string | undefined): folder is string => folder !== undefined && isAbsolute(folder);
  const base = named.find(usable) ?? (usable(place.home) ? join(place.home, ...below) : undefined);
  return base && join(base, OWN);
}
