/** What is remembered of a list: who is on it since when, who has left, and nothing of a review that did not end. */
import { appendFileSync, constants, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { BLOCK_BYTES } from '../../../src/files/text-block.ts';
import { listNameFor, openReviewMemory } from '../../../src/journal/review-memory.ts';
import { eraseFromMemories } from '../../../src/journal/reviews-file.ts';
import { testHost } from '../../fixtures/cli/here.ts';
import { failCall, openFiles, replaceCall } from '../../fixtures/place/calls.ts';
import { temporaryFolder } from '../../fixtures/place/folder.ts';
import { address } from '../../fixtures/place/wallets.ts';

const DAY = 86_400_000;
const JUDGED = { rules: 'r', invalid: 0 };

function memory(list = 'list.csv', folder = temporaryFolder()) {
  const told: string[] = [];
  const journal = join(folder, 'j');
  const options = { journal, list, host: testHost(), onDamage: (text: string) => void told.push(text) };
  /** A review at time `at` of a list of `ids`, compared with time `since`: the wallets added and removed. */
  async function review(at: number, ids: readonly string[], { since = 0, isWhole = true } = {}) {
    const open = await openReviewMemory({ ...options, at });
    const found = ids.map((id) => [id, open.list({ id, label: undefined })] as const);
    const left: string[] = [];
    await open.findLeavers(since, ({ id }) => left.push(id));
    if (isWhole) {
      await open.commit({ endedAt: at, begunAt: at, baseline: since, judged: JUDGED, baselineJudged: undefined });
    }
    open.discard();
    return { added: found.flatMap(([id, from]) => (from !== undefined && from > since ? [id] : [])), left };
  }
  return { review, options, told, folder };
}

describe('the memory of a list', () => {
  it('tells which wallets were added and removed since any time', async () => {
    const { review } = memory();
    expect(await review(1, ['a', 'b', 'b'])).toEqual({ added: ['a', 'b'], left: [] });
    expect(await review(20, ['a', 'c'], { since: 10 })).toEqual({ added: ['c'], left: ['b'] });
    expect(await review(30, ['a', 'c'], { since: 20 })).toEqual({ added: [], left: [] });
    expect(await review(40, ['a', 'c'], { since: 10 })).toEqual({ added: ['c'], left: ['b'] });
    // A wallet that comes back is new.
    expect(await review(50, ['a', 'b'], { since: 40 })).toEqual({ added: ['b'], left: ['c'] });
    // Wallets that came and went in between are not reported.
    expect(await review(60, ['a', 'b'], { since: 10 })).toEqual({ added: ['b'], left: [] });
  });

  it('tells which wallets were listed at any earlier time', async () => {
    const { review, options } = memory();
    await review(10, ['a', 'b']);
    await review(20, ['a', 'c']);
    const open = await openReviewMemory({ ...options, at: 30 });
    expect(['a', 'b', 'c', 'd'].map((id) => [9, 10, 19, 20].map((since) => open.wasListed(id, since)))).toEqual([
      [false, true, true, true],
      [false, true, true, false],
      [false, false, false, true],
      [false, false, false, false],
    ]);
    open.discard();
  });

  it('is unchanged if a review did not finish, without leftover files', async () => {
    const { review, options, folder } = memory();
    await review(10, ['a']);
    const before = readdirSync(folder);
    await review(20, ['b'], { since: 10, isWhole: false });
    expect(readdirSync(folder)).toEqual(before);
    expect((await openReviewMemory({ ...options, at: 30 })).past?.endedAt).toBe(10);
    expect(await review(30, ['a', 'b'], { since: 10 })).toEqual({ added: ['b'], left: [] });
  });

  it('is not changed by being opened', async () => {
    const { options, folder } = memory();
    (await openReviewMemory({ ...options, at: 10 })).discard();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('stays valid after the clock was set back', async () => {
    const { review } = memory();
    await review(1_000, ['a']);
    expect(await review(500, ['b'], { since: 1_000 })).toEqual({ added: ['b'], left: ['a'] });
  });

  it('forgets wallets removed more than a year ago', async () => {
    const { review, folder } = memory();
    await review(10, ['gone', 'a']);
    await review(20, ['a']);
    await review(399 * DAY, ['a']);
    const text = () => readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
    expect(text()).toEqual([expect.stringContaining('gone')]);
    await review(401 * DAY, ['a']);
    expect(text()).toEqual([expect.not.stringContaining('gone')]);
  });

  it.each([
    ['a changed byte', (text: string) => text.replace('"a"', '"x"')],
    ['a torn end', (text: string) => text.slice(0, -5)],
    ['no JSON', () => 'nonsense\n'],
    ['null in its first line', () => 'null\n'],
    ['a first line that names no list', () => '{"riskcli_reviews":1}\n'],
    ['a first line of something else', () => '{"riskcli_reviews":"2"}\n'],
    ['a line that is gone', (text: string) => text.replace(/^\["a".*\n/m, '')],
  ])('counts for nothing with %s, which is said', async (_, damage) => {
    const { review, options, told, folder } = memory();
    await review(10, ['a', 'b']);
    const [name = ''] = readdirSync(folder);
    const path = join(folder, name);
    writeFileSync(path, damage(readFileSync(path, 'utf8')));
    const open = await openReviewMemory({ ...options, at: 20 });
    expect(open.past).toBeUndefined();
    expect(told).toEqual([expect.stringContaining('is damaged: this one counts as the first')]);
    expect(open.list({ id: 'a', label: undefined })).toBe(20);
    open.discard();
    await eraseFromMemories(options.journal, { host: testHost(), isErased: () => false });
    expect(readdirSync(folder)).toEqual([]);
  });

  it('is ignored if a line is longer than any wallet can have', async () => {
    const { review, options, told, folder } = memory();
    await review(10, ['a']);
    const [name = ''] = readdirSync(folder);
    const path = join(folder, name);
    truncateSync(path, 33 * 1024 * 1024);
    appendFileSync(path, '\n');
    const open = await openReviewMemory({ ...options, at: 20 });
    expect([open.past, told]).toEqual([undefined, [expect.stringContaining('is damaged')]]);
    open.discard();
  });

  it('is refused when a newer riskcli wrote it', async () => {
    const { review, options, folder } = memory();
    await review(10, ['a']);
    const [name = ''] = readdirSync(folder);
    writeFileSync(join(folder, name), '{"riskcli_reviews":2}\n');
    await expect(openReviewMemory({ ...options, at: 20 })).rejects.toMatchObject({
      exitCode: 8,
      message: 'earlier reviews of this list were made by a newer version of riskcli',
      hint: 'update riskcli',
    });
  });

  it('has the rules of the last review, and of the one it was compared with', async () => {
    const { options } = memory();
    const past = {
      endedAt: 20,
      begunAt: 10,
      baseline: 5,
      judged: { rules: 'new', invalid: 2 },
      baselineJudged: { rules: 'old', invalid: 1 },
    };
    await (await openReviewMemory({ ...options, at: 20 })).commit(past);
    const open = await openReviewMemory({ ...options, at: 30 });
    expect(open.past).toEqual(past);
    open.discard();
  });

  it('is not guessed if it cannot be read', async () => {
    const { review, options, folder } = memory();
    await review(10, ['a']);
    const path = join(folder, readdirSync(folder)[0] ?? '');
    // A file open for writing only cannot be read.
    replaceCall(
      'openSync',
      (real) => (opened, flags, mode) => real(opened, opened === path ? constants.O_WRONLY : flags, mode),
    );
    await expect(openReviewMemory({ ...options, at: 20 })).rejects.toMatchObject({
      message: `'${path}', which remembers earlier reviews, cannot be read: EBADF`,
      hint: 'run the same command again',
      isResumable: true,
    });
    expect(openFiles(folder)).toEqual([]);
  });

  it.each(['writeSync', 'renameSync'] as const)('is unchanged if the disk is full: %s', async (call) => {
    const { review, options, folder } = memory();
    await review(10, ['a']);
    const [name = ''] = readdirSync(folder);
    failCall(call, 'ENOSPC');
    await expect(review(20, ['b'], { since: 10 })).rejects.toMatchObject({
      exitCode: 8,
      message: `'${join(folder, name)}', which remembers the review, cannot be written: no space left on the device`,
      hint: expect.stringContaining('free up disk space'),
      isResumable: true,
    });
    expect((await openReviewMemory({ ...options, at: 30 })).past?.endedAt).toBe(10);
  });

  it('is written in blocks, however many wallets are listed', async () => {
    const { options } = memory();
    const open = await openReviewMemory({ ...options, at: 10 });
    const written: number[] = [];
    replaceCall('writeSync', (write) => (fd, bytes, ...rest) => {
      written.push(bytes.length);
      return write(fd, bytes, ...rest);
    });
    for (let i = 0; i < 5_000; i++) open.list({ id: address(i), label: undefined });
    open.discard();
    expect(written.length).toBeGreaterThan(1);
    for (const bytes of written) expect(bytes).toBeGreaterThanOrEqual(BLOCK_BYTES);
    for (const bytes of written) expect(bytes).toBeLessThan(2 * BLOCK_BYTES);
  });

  it('is erased for each list of the journal, and otherwise unchanged', async () => {
    const [one, folder] = [memory(), temporaryFolder()];
    const [here, other] = [memory('list.csv', folder), memory('other.csv', folder)];
    await here.review(10, ['a', 'b']);
    await other.review(20, ['b', 'c']);
    await eraseFromMemories(here.options.journal, { host: testHost(), isErased: (id) => id === 'b' });
    for (const name of readdirSync(folder)) expect(readFileSync(join(folder, name), 'utf8')).not.toContain('"b"');
    expect(await here.review(30, ['a', 'd'], { since: 10 })).toEqual({ added: ['d'], left: [] });
    expect(await other.review(40, ['c'], { since: 20 })).toEqual({ added: [], left: [] });
    expect(await one.review(10, [])).toEqual({ added: [], left: [] });
  });
});

it('a list is identified relative to its journal, so that both can be moved', () => {
  const folder = temporaryFolder();
  expect(listNameFor(join(folder, 'list.csv'), join(folder, 'list.csv.journal'))).toBe('list.csv');
  expect(listNameFor(join(folder, 'list.csv'), join(folder, 'kept/j'))).toBe('../list.csv');
  expect(listNameFor('-', join(folder, 'j'))).toBe('-');
});
