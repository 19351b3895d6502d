/** The one flag of V8 that a run sets. */

/**
 * undici's parser is WebAssembly, which V8 would optimise after a few answers: that takes 100 ms, for which even the end of the
 * process waits, and saves 10 us an answer. To be called before the first request.
 */
export const leaveParserUnoptimised = () => process.getBuiltinModule('node:v8').setFlagsFromString('--liftoff-only');
