/** Modules of node that are loaded when they are first used: most runs with one wallet do not need them. */

/** Takes 3 ms to load. */
export const crypto = () => process.getBuiltinModule('node:crypto');

/** Takes 3 ms to load; plain http does not need it. */
export const tls = () => process.getBuiltinModule('node:tls');

/** Takes 1 ms to load; a host that is an IP address does not need it. */
export const dns = () => process.getBuiltinModule('node:dns');

/** An unpredictable part of a file's name, in hex digits: two for each byte. */
export const randomHex = (bytes: number): string => crypto().randomBytes(bytes).toString('hex');
