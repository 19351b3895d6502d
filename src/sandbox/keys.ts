/**
 * The sandbox's API key, and where a request may carry one (docs/service.md, The key). It protects
 * nothing: the sandbox is on loopback and its data is made up.
 */
import type { IncomingHttpHeaders } from 'node:http';

/** Tells the key of a sandbox from one of the service. */
export const KEY_PREFIX = 'sandbox_';

/**
 * Always the same one, so that a key pasted once still works after the sandbox was started again.
 * Real keys contain both marks, and tools that take one for the end of a key leak the rest.
 */
export const SANDBOX_KEY = `${KEY_PREFIX}RAOJdinpd-PG5auqzokH_0UFy6jeWGwh`;

const BEARER = /^Bearer +(\S+) *$/i;

/**
 * The key that a request presents, or undefined. It is not known which of several the
 * service takes; here it is the first of X-API-Key, Authorization and the query.
 */
export function presentedKey(headers: IncomingHttpHeaders, query: string): string | undefined {
  const header = headers['x-api-key'];
  if (typeof header === 'string' && header !== '') return header;
  const bearer = BEARER.exec(headers.authorization ?? '')?.[1];
  return bearer ?? new URLSearchParams(query).get('api-key') ?? undefined;
}
