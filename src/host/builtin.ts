/** Modules of node that are loaded when they are asked for: most runs with one wallet have no use for them. */

/** Takes 3 ms to load. */
export const crypto = () => process.getBuiltinModule('node:crypto');

/** Takes 1 ms to load, and an address needs none. */
export const dns = () => process.getBuiltinModule('node:dns');

/** A part of a file's name that nobody can foresee, in hex digits: two for each byte. */
export const randomHex = (bytes: number): string => crypto().randomBytes(bytes).toString('hex');
