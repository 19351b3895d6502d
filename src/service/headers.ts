/**
 * The headers of requests, in a file of their own, so that settings can use them without loading
 * the client.
 */
import { VERSION } from '../version.ts';

export type RequestHeaders = Readonly<Record<string, string>>;

/**
 * The headers of every request. They ask for an unencoded body: one that is encoded nevertheless is
 * rejected, since its true size is unknown.
 */
export const HEADERS: RequestHeaders = {
  'accept-encoding': 'identity',
  accept: 'application/json',
  'user-agent': `riskcli/${VERSION}`,
};

/** The ways to send the key (docs/service.md, The key). */
export const AUTHS = ['x-api-key', 'bearer'] as const;
export type Auth = (typeof AUTHS)[number];

/** The header that carries the key. */
export function keyHeader(auth: Auth, key: string): RequestHeaders {
  return auth === 'bearer' ? { authorization: `Bearer ${key}` } : { 'x-api-key': key };
}
