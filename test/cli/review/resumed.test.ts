/** A review that was stopped, and the answers that it and other reviews paid for. */
import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { LOW, stage } from '../../fixtures/cli/review-weeks.ts';

it('prints and keeps nothing of a stopped review, and pays for no answer twice when the same command continues', async () => {
  const { review, now, kept, asked } = await stage({ 1: { score: 450 } });
  await review(0, ...LOW);
  const stopped = await review(7, ...LOW, '--max-requests', '2');
  expect(stopped).toMatchObject({ exitCode: 7, stdout: '' });
  expect(stopped.stderr).toContain('until 2026-10-13T02:03:12Z');
  expect(kept()).toEqual(['2026-10-05T060312Z.jsonl', 'unfinished.journal']);
  now.isDown = true;
  expect(await review(7.1, ...LOW)).toMatchObject({ exitCode: 4, stdout: '' });
  now.isDown = false;
  asked.length = 0;
  const { exitCode, stdout } = await review(7.2, ...LOW);
  expect([exitCode, asked.length, kept().length]).toEqual([10, 1, 2]);
  expect(stdout).toContain('compared with 5 Oct\nwallets 3, scored 3\n');
});

it('keeps no review if no wallet has an answer', async () => {
  const { review, at } = await stage({ 1: { status: 500 }, 2: { status: 500 }, 3: { status: 500 } });
  expect(await review(0, ...LOW)).toMatchObject({ exitCode: 5, stdout: '' });
  expect(existsSync(at('holders.csv.reviews'))).toBe(false);
});

it('keeps a review though one wallet always fails', async () => {
  const { review, kept } = await stage({ 2: { status: 500 } });
  const { exitCode, stdout } = await review(0, ...LOW);
  expect([exitCode, kept()]).toEqual([10, ['2026-10-05T060312Z.jsonl']]);
  expect(stdout).toContain('NOT JUDGED  1');
});

it.each([
  { hours: 19, asks: [3], note: '' },
  { hours: 21, asks: [1, 2, 3], note: 'answers that are too old and are requested again: 2' },
])('continues a review $hours h later only if its newest answer is younger than --max-age', async (row) => {
  const { review, asked } = await stage({});
  await review(0, ...LOW, '--max-requests', '2');
  asked.length = 0;
  const { stderr } = await review(row.hours / 24, ...LOW);
  expect(asked.sort()).toEqual(row.asks);
  expect(stderr).toContain(row.note);
});

it('reuses answers for the next review of the day, but no refusals and failures', async () => {
  const { review, asked } = await stage({ 1: { status: 404 }, 2: { status: 500 } });
  await review(0);
  asked.length = 0;
  const { stderr } = await review(0.5);
  expect(asked.filter((one) => one === 3)).toEqual([]);
  expect(new Set(asked)).toEqual(new Set([1, 2]));
  expect(stderr).toContain('reused 1 earlier answer, from 2026-10-05T06:03:12.000Z\n');
});

it('asks again for answers of another UTC day, unless --max-age takes them', async () => {
  const { review, asked, now } = await stage({}, [1, 2]);
  await review(-0.5, ...LOW);
  now.world = { 1: { score: 450 } };
  asked.length = 0;
  expect((await review(0, ...LOW, '--max-age', '20h')).stdout).toContain('answers of an earlier day: 2 of 4 Oct\n');
  expect(asked).toEqual([]);
  expect((await review(0.1, ...LOW)).stdout).toContain('NEW ALARMS  1');
  expect(asked).toEqual([1, 2]);
});

it('reuses the answers of a kept review unchanged', async () => {
  const { review, asked, file, kept } = await stage({}, [1]);
  await review(0);
  await review(0.1);
  expect([asked, kept().length]).toEqual([[1], 2]);
  const rows = [0, 1].map((n) => readFileSync(file(n), 'utf8').split('\n')[1]);
  expect(rows[1]).toBe(rows[0]);
});
