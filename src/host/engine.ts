/** What is asked of V8: how much room the heap takes, for runs whose memory must not grow with a list, and how fast a run starts. */
import type { Engine } from '../context.ts';

/** node:v8 is loaded when it is used: that takes half a millisecond. */
const setFlag = (flag: string) => process.getBuiltinModule('node:v8').setFlagsFromString(flag);

export const engine: Engine = {
  /**
   * undici brings the parser as WebAssembly, which V8 optimises after the first few answers: that takes 130 ms on Node 20
   * and 40 on 24, for which even the end of the process waits, and saves 10 us an answer. The first flag prevents it up to
   * Node 22; later ones put it off by some hundreds of answers, by the second.
   */
  compileParserOnce() {
    setFlag('--liftoff-only');
    setFlag('--wasm-tiering-budget=2147483647');
  },

  /**
   * How a list of a million stays small: what has to last is kept outside the heap, and the heap is told not to spread.
   * One thread collects the young generation, since several would mostly wait for each other over so little. The old
   * generation grows by a quarter, not to a multiple, between two collections: what becomes garbage there are requests
   * that took seconds, and with 2,000 in flight that is 100 MB.
   */
  keepHeapSmall() {
    setFlag('--no-parallel-scavenge');
    setFlag('--heap-growing-percent=25');
  },

  /** For runs of short rows that leave garbage at once: 70 to 120 MB less for a million of them, and a third more CPU. */
  keepYoungHeapSmall() {
    setFlag('--semi-space-growth-factor=1');
  },
};
