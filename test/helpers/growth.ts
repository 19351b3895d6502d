/** How the CPU time of this process grows with the input. */

/** CPU milliseconds of this process. */
export async function cost(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

/** Below it a measurement says more of the machine than of the code. */
export const TOO_SHORT_MS = 150;
const TRIES = 6;

/** Twice the input in CPU time, in multiples of the time for the input: the least of several tries, as others use the machine. */
export async function growth(work: (size: number) => Promise<unknown>, size: number): Promise<number> {
  let once = Number.POSITIVE_INFINITY;
  let twice = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < TRIES; attempt++) {
    once = Math.min(once, await cost(() => work(size)));
    twice = Math.min(twice, await cost(() => work(2 * size)));
    if (twice < TOO_SHORT_MS || twice <= 2.5 * once) break;
  }
  return twice < TOO_SHORT_MS ? 0 : twice / once;
}
