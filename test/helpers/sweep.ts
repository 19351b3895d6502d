/**
 * The places of a sweep: `npm test` tries some of them, and `npm run test:slow` all (test/slow/sweeps.test.ts runs the same
 * tests once more).
 */

/** Whether all of a sweep is tried. */
export const isSlow = Boolean(process.env.RISKCLI_SLOW);

/** Bytes between two places. It is prime, so that lines of one length are not cut at one column each time. */
const STRIDE = 17;
const NEWLINE = 10;

/** Offsets in `whole` from `first` up to `end`. The first and last ones, and those beside the end of a line, are always there. */
export function offsets(whole: Buffer, first = 0, end = whole.length): readonly number[] {
  const all = Array.from({ length: end - first }, (_, i) => first + i);
  const isAtEdge = (at: number) => at === first || at === end - 1 || whole[at] === NEWLINE || whole[at - 1] === NEWLINE;
  return isSlow ? all : all.filter((at) => isAtEdge(at) || at % STRIDE === 0);
}

/** `places`, or the last one of each call. */
export function ofEachCall<T extends { readonly call: string }>(places: readonly T[]): readonly T[] {
  return isSlow ? places : places.filter(({ call }, i) => places.findLastIndex((other) => other.call === call) === i);
}
