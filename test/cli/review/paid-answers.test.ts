/** Which answers a review does not pay for again, and what it says of those that it does. */
import { expect, it } from 'vitest';
import { LOW, stage } from '../../fixtures/cli/review-weeks.ts';

/** A review that is stopped, by a key that is rejected, after its first `answers` requests. */
async function stopped(answers: number) {
  const place = await stage({ 1: { score: 450 }, 2: { score: 450 } });
  const { now, asked, review } = place;
  const one = ['--concurrency', '1', ...LOW];
  const stopAfter = (count: number) => {
    const until = asked.length + count;
    now.onRequest = () => {
      now.isDown = asked.length > until;
    };
  };
  stopAfter(answers);
  expect((await review(0, ...one)).exitCode).toBe(4);
  return { ...place, stopAfter, again: (days: number, ...words: string[]) => review(days, ...one, ...words) };
}

it('asks again for old answers once, even if the run that does so is stopped', async () => {
  const { again, asked, stopAfter, now } = await stopped(2);
  stopAfter(1);
  expect((await again(2)).exitCode).toBe(4);
  now.world = {};
  stopAfter(9);
  const before = asked.length;
  const { stdout, stderr } = await again(2.1);
  expect(asked.slice(before)).toEqual([2, 3]);
  expect(stderr).not.toContain('too old');
  expect(stdout).toContain('open 1, new 0');
});

it('counts in a dry run the answers of the journal and those of a kept review apart', async () => {
  const { review, list, stopAfter } = await stopped(1);
  const counts = async (days: number) => {
    const { known_from_journal, known_from_review, requests_needed } = JSON.parse(
      (await review(days, '--dry-run', '--json')).stdout,
    );
    return { known_from_journal, known_from_review, requests_needed };
  };
  expect(await counts(0)).toEqual({ known_from_journal: 1, known_from_review: 0, requests_needed: 2 });
  stopAfter(9);
  await review(0);
  list([1, 2, 3, 4]);
  expect(await counts(0.1)).toEqual({ known_from_journal: 0, known_from_review: 3, requests_needed: 1 });
});
