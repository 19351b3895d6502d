/**
 * Parses a base URL: https, or http only to this machine; it may have a path prefix, but nothing
 * that could hold a key.
 */
import { UsageError } from '../errors.ts';
import { quotedWord } from '../secrets/redact.ts';

/** `URL` converts every spelling of an IPv4 address (`127.1`, `0x7f000001`) to dotted form. */
const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;
const URL_HINT = 'write it like https://api.example.com';

/**
 * The base URL in `text`; a slash at the end of its path is dropped. `what` begins the message: the
 * option, variable or file that has it. The text is not repeated when it may hold a key: the
 * service accepts one in a query (docs/service.md, The key).
 * @throws UsageError
 */
export function parseBaseUrl(text: string, what = 'the base URL'): URL {
  const trimmed = text.trim();
  if (/[?#]/.test(trimmed)) throw new UsageError(`${what} has a query or a fragment`, { hint: URL_HINT });
  if (trimmed.includes('@')) throw new UsageError(`${what} contains a user name or password`, { hint: URL_HINT });
  const url = /[\s\\]/.test(trimmed) || !URL.canParse(trimmed) ? undefined : new URL(trimmed);
  if (!url || !/^https?:\/\/[^/]/i.test(trimmed)) {
    throw new UsageError(`${what} is not an http or https URL: ${quotedWord(text)}`, { hint: URL_HINT });
  }
  if (url.protocol === 'http:' && !LOOPBACK.test(url.hostname)) {
    throw new UsageError(`${what} uses plain http to ${url.hostname}, which would expose the key on the network`, {
      hint: 'use https (http is only for this machine)',
    });
  }
  // A path that begins with `//` names another host if it is resolved as a reference (RFC 3986,
  // 4.2).
  if (trimmed.indexOf('//', trimmed.indexOf('//') + 2) !== -1 || url.pathname.includes('//')) {
    throw new UsageError(`${what} has an empty segment (//) in its path`, { hint: URL_HINT });
  }
  url.pathname = url.pathname.replace(/\/$/, '');
  return url;
}

/** `url` as it is shown and stored: without a slash at the end, so that a path can be appended. */
export function baseUrlText(url: URL): string {
  return url.href.replace(/\/$/, '');
}
