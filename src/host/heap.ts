/** How much room node's heap takes, for runs whose memory must not grow with a list. */
import { setFlagsFromString } from 'node:v8';

/**
 * How a list of a million stays small: what has to last is kept outside the heap, and the heap is told not to spread.
 * One thread collects the young generation, since several would mostly wait for each other over so little. The old
 * generation grows by a quarter, not to a multiple, between two collections: what becomes garbage there are requests that
 * took seconds, and with 2,000 in flight that is 100 MB. Call it before anything is read.
 */
export function keepHeapSmall(): void {
  setFlagsFromString('--no-parallel-scavenge');
  setFlagsFromString('--heap-growing-percent=25');
}
