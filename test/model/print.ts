/**
 * `npm run test:model [histories] [first seed]`: plays so many histories, and prints each kind of
 * difference once, shrunk.
 */
import { childDriver, faketimeLibrary, hereDriver } from './drivers.ts';
import { historyOf } from './histories.ts';
import { type Difference, play } from './play.ts';
import { describe, kindOf, shrink } from './shrink.ts';

/** So many histories are played at a time: each waits for its service some of its time. */
const PLAYERS = 3;
/** Every so many histories one is played by a child whose clock is moved. */
const CHILD_EVERY = 50;
/** So many kinds of difference are shrunk; the others are counted with a seed. */
const SHRUNK = Number(process.env.SHRUNK ?? 6);

const [histories = 100, first = Math.floor(Math.random() * 2 ** 31)] = process.argv.slice(2).map(Number);
const library = faketimeLibrary();
const here = hereDriver();
const kinds = new Map<string, Difference[]>();
let next = first;
let byChildren = 0;
console.log(`seeds ${first} to ${first + histories - 1}`);
await Promise.all(
  Array.from({ length: PLAYERS }, async () => {
    while (next < first + histories) {
      const seed = next++;
      const isChild = library !== undefined && (seed - first) % CHILD_EVERY === 0;
      if (isChild) byChildren++;
      const found = await play(historyOf(seed), isChild ? childDriver(library) : here);
      if (found) kinds.set(kindOf(found), [...(kinds.get(kindOf(found)) ?? []), found]);
    }
  }),
);
const byCount = [...kinds.values()].sort((a, b) => b.length - a.length);
for (const [i, all] of byCount.entries()) {
  const [found] = all as [Difference];
  console.log(`\n== ${all.length} times, seeds ${all.slice(0, 8).map(({ seed }) => seed)}`);
  if (i >= SHRUNK) console.log(found.what);
  else {
    const smallest = await shrink(historyOf(found.seed), found, here);
    console.log(`review ${smallest.found.review} ${smallest.found.what}\n${describe(smallest.history)}`);
  }
}
const different = byCount.flat().length;
const children = library ? `${byChildren} of them by children` : 'none by children: libfaketime is not installed';
console.log(`\n${histories} histories (${children}), ${different} with a difference of ${byCount.length} kinds`);
process.exitCode = different > 0 ? 1 : 0;
