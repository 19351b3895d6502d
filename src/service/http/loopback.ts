/** Whether an address is this machine itself, by its form; a name such as localhost is only a claim. */
import { BlockList, isIP } from 'node:net';

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8);
LOOPBACK.addAddress('::1', 'ipv6');

/** Whether the IP address `address`, mapped into IPv6 or not, is a loopback one. */
export function isLoopbackAddress(address: string): boolean {
  return contains(LOOPBACK, address);
}

/** Whether `host` is an address in `addresses`; a name is in none. */
export function contains(addresses: BlockList, host: string): boolean {
  const family = isIP(host);
  return family !== 0 && addresses.check(host, family === 6 ? 'ipv6' : 'ipv4');
}
