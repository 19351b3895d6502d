/** Modules of node that are loaded when they are first used: most runs with one wallet do not need them. */

/** Takes 3 ms to load. */
export const crypto = () => process.getBuiltinModule('node:crypto');

/** An unpredictable part of a file's name, in hex digits: two for each byte. */
export const randomHex = (bytes: number): string => crypto().randomBytes(bytes).toString('hex');
