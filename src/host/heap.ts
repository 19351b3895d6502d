/** What is asked of V8: how much room the heap takes, for runs whose memory must not grow with a list, and how fast a run starts. */

/** node:v8 is loaded when it is used: that takes half a millisecond. */
const setFlag = (flag: string) => process.getBuiltinModule('node:v8').setFlagsFromString(flag);

/**
 * Has the parser of HTTP, which undici brings as WebAssembly, compiled once, fast, and not optimised after the first few
 * answers: that takes 130 ms on Node 20 and 40 on 24, for which even the end of the process waits, and saves 10 us an
 * answer. The first flag does it up to Node 22; later ones put it off by some hundreds of answers, by the second.
 * Call it before the first request.
 */
export function compileParserOnce(): void {
  setFlag('--liftoff-only');
  setFlag('--wasm-tiering-budget=2147483647');
}

/**
 * How a list of a million stays small: what has to last is kept outside the heap, and the heap is told not to spread.
 * One thread collects the young generation, since several would mostly wait for each other over so little. The old
 * generation grows by a quarter, not to a multiple, between two collections: what becomes garbage there are requests that
 * took seconds, and with 2,000 in flight that is 100 MB. Call it before anything is read.
 */
export function keepHeapSmall(): void {
  setFlag('--no-parallel-scavenge');
  setFlag('--heap-growing-percent=25');
}

/**
 * Keeps the young generation, too, at the size that it has by then, for runs of short rows that leave garbage at once: that
 * is 70 to 120 MB less for a million of them, and a third more of the processor's time. Call it before anything is read.
 */
export function keepYoungHeapSmall(): void {
  setFlag('--semi-space-growth-factor=1');
}
