/** Random values that nobody can predict. */
import { randomBytes } from 'node:crypto';

/** An unpredictable part of a file's name, in hex digits: two for each byte. */
export const randomHex = (bytes: number): string => randomBytes(bytes).toString('hex');
