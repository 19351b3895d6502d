/** The names of the environments that this machine knows, for the completions. */
import type { Context } from '../context.ts';
import { readConfig, readKeys } from './files.ts';

/**
 * Letters, digits and `._-`, a letter or digit first: fit for a file, a shell and a command line. Shorter than 64, since so
 * many hex digits may be a private key.
 */
export const ENVIRONMENT_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/;

/** In alphabetical order. Somebody else's name may be no name: a shell would make more of it. @throws IoError */
export function environmentNames(context: Context): readonly string[] {
  const names = new Set([...readConfig(context).keys(), ...readKeys(context).keys()]);
  return [...names].filter((name) => ENVIRONMENT_NAME.test(name)).sort();
}
