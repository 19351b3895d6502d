/** The flags of V8 that runs set. */
import { setFlagsFromString } from 'node:v8';

/**
 * undici's parser is WebAssembly, which V8 would optimise after a few answers: that takes 100 ms,
 * for which even the end of the process waits, and saves 10 us an answer. To be called before the
 * first request.
 */
export const leaveParserUnoptimised = () => setFlagsFromString('--liftoff-only');

/**
 * The heap of a list grows by a quarter between two collections, and not to a multiple: garbage
 * that is not collected yet would take a million wallets beyond 512 MB. To be called before the
 * list is read.
 */
export const growHeapSlowly = () => setFlagsFromString('--heap-growing-percent=25');
