/**
 * `npm run test:model [histories] [first seed]`: plays so many histories, and prints each kind of
 * difference once, shrunk.
 */
import { historyOf } from './histories.ts';
import { childDriver, type Difference, faketimeLibrary, play } from './play.ts';
import { describe, kindOf, shrink } from './shrink.ts';

/** So many histories are played at a time: each waits for its children most of its time. */
const PLAYERS = 3;
/** So many kinds of difference are shrunk; the others are counted with a seed. */
const SHRUNK = Number(process.env.SHRUNK ?? 6);

const [histories = 100, first = Math.floor(Math.random() * 2 ** 31)] = process.argv.slice(2).map(Number);
const library = faketimeLibrary();
if (!library) throw new Error('libfaketime is needed (Debian: apt-get install libfaketime)');
const driver = childDriver(library);
const kinds = new Map<string, Difference[]>();
let next = first;
console.log(`seeds ${first} to ${first + histories - 1}`);
await Promise.all(
  Array.from({ length: PLAYERS }, async () => {
    while (next < first + histories) {
      const seed = next++;
      const found = await play(historyOf(seed), driver);
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
    const smallest = await shrink(historyOf(found.seed), found, driver);
    console.log(`review ${smallest.found.review} ${smallest.found.what}\n${describe(smallest.history)}`);
  }
}
const different = byCount.flat().length;
console.log(`\n${histories} histories, ${different} with a difference of ${byCount.length} kinds`);
process.exitCode = different > 0 ? 1 : 0;
