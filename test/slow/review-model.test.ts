/** The contract of `review` as a model (test/model), against the built program. */
import { expect, it } from 'vitest';
import { childDriver, faketimeLibrary } from '../model/drivers.ts';
import { historyOf } from '../model/histories.ts';
import { play } from '../model/play.ts';
import { describe as inWords } from '../model/shrink.ts';

const library = faketimeLibrary();
/** A history takes about two seconds; fresh seeds are given up after this. */
const TIME_FOR_FRESH_SEEDS_MS = 120_000;

async function firstFault(seeds: readonly number[], until = Infinity) {
  for (const seed of seeds) {
    if (Date.now() > until) return;
    const history = historyOf(seed);
    const found = await play(history, childDriver(library!));
    if (found) return `seed ${seed}, review ${found.review}: ${found.what}\n${inWords(history)}`;
  }
}

const numbers = (count: number, first: number) => Array.from({ length: count }, (_, i) => first + i);

it.skipIf(!library)('shows in forty histories of reviews what its contract says', async () => {
  expect(await firstFault(numbers(40, 1))).toBeUndefined();
});

it.skipIf(!library)('shows in ten histories that nobody has seen what its contract says', async () => {
  const first = Math.floor(Math.random() * 2 ** 31);
  expect(await firstFault(numbers(10, first), Date.now() + TIME_FOR_FRESH_SEEDS_MS)).toBeUndefined();
});
