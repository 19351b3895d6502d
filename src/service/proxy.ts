/** Which proxy, if any, a request goes through, by the variables that curl reads: http_proxy, https_proxy, no_proxy. */
import { BlockList, isIP } from 'node:net';
import type { Environment } from '../context.ts';
import { UsageError } from '../errors.ts';

/**
 * The proxy that `env` names for `url`; undefined for none. Lower case beats upper case, as in curl; blank is unset.
 * A proxy elsewhere is not used for this machine's loopback: there the address means another machine, which would get
 * the key in the clear.
 * @throws UsageError for a value that is no http or https URL; it is not said back, since it may hold a password.
 */
export function proxyFor(url: URL, env: Environment): URL | undefined {
  const name = url.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY';
  const value = read(env, name);
  if (!value || isExempt(url, read(env, 'NO_PROXY') ?? '')) return undefined;
  const proxy = parseProxy(value, name);
  return isLoopback(url) && !isLoopback(proxy) ? undefined : proxy;
}

function read(env: Environment, name: string): string | undefined {
  return env[name.toLowerCase()]?.trim() || env[name]?.trim() || undefined;
}

function parseProxy(value: string, name: string): URL {
  const text = /^[\w.-]+:\d+$/.test(value) ? `http://${value}` : value;
  const proxy = URL.canParse(text) ? new URL(text) : undefined;
  if (proxy && ['http:', 'https:'].includes(proxy.protocol) && decodes(proxy.username) && decodes(proxy.password)) {
    return proxy;
  }
  throw new UsageError(`${name} does not hold the address of a proxy`, {
    hint: 'write it as http://host:port or http://user:password@host:port, other characters in % escapes',
  });
}

function decodes(text: string): boolean {
  try {
    return decodeURIComponent(text) !== undefined;
  } catch {
    return false;
  }
}

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8);
LOOPBACK.addAddress('::1', 'ipv6');

const hostOf = (url: URL) => url.hostname.replace(/^\[|\]$/g, '');

function isLoopback(url: URL): boolean {
  const host = hostOf(url);
  return host === 'localhost' || host.endsWith('.localhost') || contains(LOOPBACK, host);
}

function contains(addresses: BlockList, host: string): boolean {
  const family = isIP(host);
  return family !== 0 && addresses.check(host, family === 6 ? 'ipv6' : 'ipv4');
}

/** NO_PROXY as curl and Go read it: `*`, or a list of names (subdomains included), addresses and networks, port or not. */
function isExempt(url: URL, list: string): boolean {
  return list.split(/[\s,]+/).some((entry) => entry === '*' || matches(url, entry));
}

function matches(url: URL, entry: string): boolean {
  const host = hostOf(url);
  const [, network, bits] = /^([\da-f.:]+)\/(\d+)$/i.exec(entry) ?? [];
  if (network && bits) return inNetwork(host, network, Number(bits));
  const [, name = '', port] = /^\[?([^\]]*?)\]?(?::(\d+))?$/.exec(isIP(entry) === 6 ? `[${entry}]` : entry) ?? [];
  const wanted = name.toLowerCase().replace(/^\*?\./, '');
  if (!wanted || (port && port !== (url.port || (url.protocol === 'https:' ? '443' : '80')))) return false;
  return host === wanted || host.endsWith(`.${wanted}`);
}

function inNetwork(host: string, network: string, bits: number): boolean {
  const family = isIP(network);
  if (family === 0 || bits > (family === 6 ? 128 : 32)) return false;
  const addresses = new BlockList();
  addresses.addSubnet(network, bits, family === 6 ? 'ipv6' : 'ipv4');
  return contains(addresses, host);
}
