/**
 * How the key is sent (contract, 5.3). A setting chooses, and is read before anything of the client
 * is loaded.
 */

export const AUTHS = ['x-api-key', 'bearer'] as const;
export type Auth = (typeof AUTHS)[number];

/** The header that carries the key. */
export function keyHeader(auth: Auth, key: string): Record<string, string> {
  return auth === 'bearer' ? { authorization: `Bearer ${key}` } : { 'x-api-key': key };
}
