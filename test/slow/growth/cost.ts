/**
 * How the CPU time of this process grows with the input, measured so that it can be judged where
 * the work is short, too.
 */

/**
 * CPU milliseconds of this process: the least of `tries`, as others use the machine and code is
 * compiled as it runs.
 */
export async function cost(work: () => Promise<unknown>, tries = 1): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < tries; i++) {
    const before = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1_000);
  }
  return least;
}

/** Below it, milliseconds, a measurement says more of the machine than of the code. */
const LONG_ENOUGH = 30;
/**
 * How often the input may be doubled until the work is long enough; some is refused when it is too
 * long.
 */
const MAX_DOUBLINGS = 6;
/**
 * How often the larger input is twice the smaller: a disturbance then counts for a quarter of what
 * it would.
 */
const DOUBLINGS = 4;
const TRIES = 6;

/**
 * What twice the input costs at most, in multiples of what the input costs, where the work is in
 * proportion to it.
 */
export const TOO_MUCH = 2.5;

/**
 * What twice the input costs, in multiples of what the input costs: about 2 where the work is in
 * proportion to it. `size` is the size to begin with; it is doubled until the work is long enough.
 */
export async function growth(work: (size: number) => Promise<unknown>, size: number): Promise<number> {
  let many = size;
  let large = await cost(() => work(many), 2);
  for (let i = 0; i < MAX_DOUBLINGS && large < LONG_ENOUGH; i++) {
    many *= 2;
    large = await cost(() => work(many), 2);
  }
  const few = many / 2 ** DOUBLINGS;
  let small = await cost(() => work(few), 5);
  const perDoubling = () => (large / small) ** (1 / DOUBLINGS);
  for (let i = 0; i < TRIES && perDoubling() > TOO_MUCH; i++) {
    small = Math.min(small, await cost(() => work(few), 3));
    large = Math.min(large, await cost(() => work(many)));
  }
  return perDoubling();
}
