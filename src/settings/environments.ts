/** Names of environments, and those that this machine knows, for completion. */
import type { Context } from '../context.ts';
import { readConfig, readKeys } from './files.ts';

/**
 * Letters, digits and `._-`, a letter or digit first: safe in a file name, a shell and a command line. Shorter than 64, since 64
 * hex digits may be a private key.
 */
export const ENVIRONMENT_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/;

/** In alphabetical order, without invalid names, which could be unsafe in a shell. @throws IoError */
export function environmentNames(context: Context): readonly string[] {
  const names = new Set([...readConfig(context).keys(), ...readKeys(context).keys()]);
  return [...names].filter((name) => ENVIRONMENT_NAME.test(name)).sort();
}
