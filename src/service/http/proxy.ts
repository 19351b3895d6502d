/**
 * Finds the proxy, if any, that a request goes through, by the variables that curl reads:
 * https_proxy, all_proxy, no_proxy.
 */
import { BlockList, isIP } from 'node:net';
import type { Environment } from '../../context.ts';
import { UsageError } from '../../errors.ts';

export interface HttpProxy {
  /** It may hold a user name and a password, so only its host may be shown. */
  readonly url: URL;
  /** The name of the variable that holds it, as it was spelled. */
  readonly variable: string;
}

/** The first one that is set counts. Without http_proxy: plain http is for loopback only. */
const PROXY_VARIABLES = ['https_proxy', 'HTTPS_PROXY', 'all_proxy', 'ALL_PROXY'];

/**
 * The proxy in `env` for `url`, or undefined. Blank is unset. Requests to loopback bypass the
 * proxy: from there the address would mean another machine.
 * @throws UsageError for a value that is not an http or https URL; it is not shown, since it may
 * hold a password
 */
export function proxyFor(url: URL, env: Environment): HttpProxy | undefined {
  const variable = PROXY_VARIABLES.find((name) => env[name]?.trim());
  if (!variable || isLoopback(url) || isExempt(url, env.no_proxy?.trim() || env.NO_PROXY || '')) return undefined;
  return { url: parseProxy(env[variable]?.trim() ?? '', variable), variable };
}

function parseProxy(value: string, variable: string): URL {
  const text = /^[\w.-]+:\d+$/.test(value) ? `http://${value}` : value;
  const proxy = URL.canParse(text) ? new URL(text) : undefined;
  if (proxy && /^https?:$/.test(proxy.protocol) && decodes(proxy.username) && decodes(proxy.password)) return proxy;
  if (/^socks/i.test(value)) {
    throw new UsageError(`${variable} names a SOCKS proxy, which riskcli cannot use`, {
      hint: 'set an HTTP proxy in HTTPS_PROXY, or list the host in NO_PROXY to bypass the proxy',
    });
  }
  throw new UsageError(`${variable} is not a valid proxy URL`, {
    hint: 'write it as http://host:port or http://user:password@host:port, with special characters percent-encoded',
  });
}

function decodes(text: string): boolean {
  try {
    return decodeURIComponent(text) !== undefined;
  } catch {
    return false;
  }
}

/** The host of `url` for a socket: without the brackets of IPv6. */
export const hostOf = (url: URL) => url.hostname.replace(/^\[|\]$/g, '');

function isLoopback(url: URL): boolean {
  const host = hostOf(url);
  return /(^|\.)localhost\.?$/.test(host) || isLoopbackAddress(host);
}

/**
 * Reads NO_PROXY as curl and Go do: `*`, or a list of names (subdomains included), addresses and
 * networks, each with or without a port.
 */
function isExempt(url: URL, list: string): boolean {
  return list.split(/[\s,]+/).some((entry) => entry === '*' || matches(url, entry));
}

function matches(url: URL, entry: string): boolean {
  const host = withoutTrailingDot(hostOf(url));
  const [, network, bits] = /^([\da-f.:]+)\/(\d+)$/i.exec(entry) ?? [];
  if (network && bits) return inNetwork(host, network, Number(bits));
  const [, name = '', port] = /^\[?([^\]]*?)\]?(?::(\d+))?$/.exec(isIP(entry) === 6 ? `[${entry}]` : entry) ?? [];
  const wanted = withoutTrailingDot(name.toLowerCase().replace(/^\*?\./, ''));
  if (!wanted || (port && port !== (url.port || '443'))) return false;
  return host === wanted || host.endsWith(`.${wanted}`);
}

/** `example.com.`, written out to the root of the name system, is the same name. */
const withoutTrailingDot = (name: string) => name.replace(/\.$/, '');

function inNetwork(host: string, network: string, bits: number): boolean {
  const family = isIP(network);
  if (family === 0 || bits > (family === 6 ? 128 : 32)) return false;
  const addresses = new BlockList();
  addresses.addSubnet(network, bits, family === 6 ? 'ipv6' : 'ipv4');
  return contains(addresses, host);
}

/**
 * Whether the IP address `address`, mapped into IPv6 or not, is this machine itself; a name such as
 * localhost is only a claim.
 */
export function isLoopbackAddress(address: string): boolean {
  const loopback = new BlockList();
  loopback.addSubnet('127.0.0.0', 8);
  loopback.addAddress('::1', 'ipv6');
  return contains(loopback, address);
}

/** Whether `host` is an address in `addresses`; false for a name. */
function contains(addresses: BlockList, host: string): boolean {
  const family = isIP(host);
  return family !== 0 && addresses.check(host, family === 6 ? 'ipv6' : 'ipv4');
}
