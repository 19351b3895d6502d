/** Answers that come when the journal is another run's: where they go, who sees them, who takes them in. */
import {
  appendFileSync,
  chmodSync,
  existsSync,
  linkSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { LockedError } from '../../../src/errors.ts';
import { createAnswerRoom } from '../../../src/journal/answer-room.ts';
import type { AnswerStore } from '../../../src/journal/answer-store.ts';
import { surveyJournal, withHistory, withNewest } from '../../../src/journal/history.ts';
import { readJournal } from '../../../src/journal/journal.ts';
import { lateFiles as findLateFiles } from '../../../src/journal/late-answers.ts';
import { LateAnswers } from '../../../src/journal/late-store.ts';
import { eraseRule, pruneRule, removeAnswers } from '../../../src/journal/prune.ts';
import { WalletIndex } from '../../../src/journal/wallet-index.ts';
import { testHost } from '../../fixtures/cli/here.ts';
import { openFiles, replaceCall } from '../../fixtures/place/calls.ts';
import { address } from '../../fixtures/place/wallets.ts';
import {
  answer,
  base,
  document,
  heldBy,
  host,
  lateFiles,
  lookingHost,
  lostJournal,
  newPath,
  open,
} from './journal-stage.ts';

const walletsOf = async (path: string) => {
  const store = await open(path, { onDamage: (told: string) => expect.unreachable(told) });
  const found = [0, 1, 2, 3].filter((i) => store.has(address(i)));
  store.close();
  return found;
};

const answersOf = (id: string, file: Parameters<typeof withHistory>[1]) =>
  withHistory(id, file, async ({ answers }) => [...answers()]);

describe('a run that has lost the lock of its journal', () => {
  it('[81] keeps further answers in a file next to it, and still knows all answers', async () => {
    const { path, holder } = await lostJournal();
    const before = readFileSync(path);
    holder.append(address(2), { answeredAt: 3_000, refusal: { code: 'refused', message: 'no' } });
    await holder.sync();
    expect([holder.size, holder.known, holder.isKept]).toEqual([3, 0, true]);
    expect([0, 1, 2].map((i) => holder.get(address(i)))).toMatchObject([
      { answeredAt: 1_000, text: document(0) },
      { answeredAt: 2_000, text: document(1), number: Number.POSITIVE_INFINITY },
      { answeredAt: 3_000, refusal: { code: 'refused' } },
    ]);
    expect(holder.lost?.reason).toBeInstanceOf(LockedError);
    expect(() => holder.checkLock()).toThrow(LockedError);
    holder.close();
    expect(readFileSync(path).equals(before)).toBe(true);
    expect(lateFiles(path)).toHaveLength(1);
  });

  it('does not remove the journal, whether it is done or never wrote to it', async () => {
    const { path, holder } = await lostJournal();
    await holder.remove();
    expect(existsSync(path)).toBe(true);
    const fresh = newPath();
    const unwritten = await heldBy(fresh);
    rmSync(`${fresh}.lock`);
    unwritten.close();
    expect([existsSync(fresh), lateFiles(fresh)]).toEqual([true, []]);
  });

  it('[81] writes an answer again if its file was merged during the write', async () => {
    const { path, holder } = await lostJournal();
    const [late = ''] = lateFiles(path);
    const own = join(dirname(path), late);
    renameSync(own, `${own}.taken`);
    holder.append(address(2), answer(document(2), 3_000));
    rmSync(`${own}.taken`);
    await holder.sync();
    expect([1, 2].map((i) => holder.has(address(i)))).toEqual([true, true]);
    holder.close();
    expect(lateFiles(path)).toHaveLength(1);
    expect(await walletsOf(path)).toEqual([0, 2]);
  });

  it('[81] succeeds if the next run has merged its answers', async () => {
    const { path, holder } = await lostJournal();
    (await open(path, { host: testHost({ sleep: async () => {} }) })).close();
    expect(lateFiles(path)).toEqual([]);
    await holder.sync();
    holder.close();
    expect(await walletsOf(path)).toEqual([0, 1]);
  });

  it('[81] does not report later changes of the journal', async () => {
    const { path, holder } = await lostJournal();
    writeFileSync(path, '');
    await holder.sync();
    rmSync(path);
    await holder.sync();
    holder.close();
  });

  it('[81] is waited for by the next run, so that its last answers are known', async () => {
    const path = newPath();
    const holder = await heldBy(path);
    rmSync(`${path}.lock`);
    const told: string[] = [];
    let sleptMs = 0;
    const sleep = async (ms: number) => {
      sleptMs += ms;
      if (sleptMs !== 200) return;
      holder.append(address(1), answer(document(1), 2_000));
      holder.close();
    };
    const next = await open(path, { host: testHost({ sleep }), onWait: (text: string) => told.push(text) });
    expect([sleptMs, next.has(address(1)), told]).toEqual([
      200,
      true,
      [expect.stringContaining(`waiting up to 15 s for process ${process.pid}`)],
    ]);
    next.close();
  });

  it('[81] is waited for no longer than its time limit', async () => {
    const path = newPath();
    const holder = await heldBy(path);
    rmSync(`${path}.lock`);
    let sleptMs = 0;
    const sleep = async (ms: number) => {
      sleptMs += ms;
    };
    const next = await open(path, { host: testHost({ sleep }) });
    expect(sleptMs).toBe(15_000);
    next.close();
    holder.close();
  });

  it('[81] is not waited for after a signal', async () => {
    const path = newPath();
    const holder = await heldBy(path);
    rmSync(`${path}.lock`);
    const reason = new Error('enough');
    await expect(open(path, { host: testHost({ sleep: () => Promise.reject(reason) }) })).rejects.toBe(reason);
    expect(existsSync(`${path}.lock`)).toBe(false);
    holder.close();
  });
});

describe('the files of late answers', () => {
  const room = createAnswerRoom(newPath(), host);
  const file = (isKept: boolean, synced: string[] = []): AnswerStore => ({
    known: 0,
    size: 1,
    isKept,
    checkLock() {},
    has: (id) => id === address(1),
    get: () => undefined,
    append() {},
    refusal: () => undefined,
    releaseRoom: () => false,
    sync: async () => void synced.push('synced'),
    close() {},
    remove: async () => {},
  });

  it('[81] that are removed again and again cause an error, also at the end', async () => {
    let made = 0;
    const makeFile = () => {
      made += 1;
      return file(false);
    };
    const late = new LateAnswers('the journal', makeFile, room);
    const lost = 'an answer that came when the journal was taken over cannot be kept';
    expect(() => late.append(address(1), answer('{}'))).toThrow(lost);
    await expect(late.sync()).rejects.toThrow(lost);
    expect(made).toBe(100);
  });

  it('[79] are on the disk when the run ends', async () => {
    const synced: string[] = [];
    const late = new LateAnswers('the journal', () => file(true, synced), room);
    late.append(address(1), answer('{}'));
    await late.sync();
    expect([synced, late.size, late.has(address(1)), late.has(address(2))]).toEqual([['synced'], 1, true, false]);
  });

  it('are none if there is no folder', () => {
    expect(findLateFiles('/nonexistent/wallets.journal')).toEqual([]);
  });
});

describe('late answers', () => {
  it('[81] are merged by the next run, and their file is removed', async () => {
    const { path, holder } = await lostJournal();
    holder.close();
    const next = await open(path);
    expect([next.known, lateFiles(path)]).toEqual([2, []]);
    expect(next.get(address(1))).toMatchObject({ answeredAt: 2_000, text: document(1) });
    next.close();
    expect(openFiles(`${dirname(path)}/`)).toEqual([]);
    expect(await walletsOf(path)).toEqual([0, 1]);
  });

  it('are merged if the journal itself is gone, and kept even if not reused', async () => {
    const { path, holder } = await lostJournal();
    holder.close();
    rmSync(path);
    const next = await open(path, { answered: { from: 5_000, until: 9_000 } });
    expect([next.known, next.has(address(1))]).toEqual([0, false]);
    next.close();
    expect(await walletsOf(path)).toEqual([1]);
  });

  it('are merged once even if the run was killed before it could remove their file', async () => {
    const { path, holder } = await lostJournal();
    holder.close();
    const [late = ''] = lateFiles(path);
    const text = readFileSync(join(dirname(path), late));
    (await open(path)).close();
    const size = readFileSync(path).length;
    writeFileSync(join(dirname(path), `${late}.taken`), text, { mode: 0o600 });
    (await open(path)).close();
    expect([readFileSync(path).length, lateFiles(path)]).toEqual([size, []]);
  });

  it('do not take the place of a newer answer', async () => {
    const { path, holder } = await lostJournal();
    const second = await open(path, { host: testHost({ sleep: async () => {} }) });
    second.append(address(2), answer(document(2), 9_000));
    second.close();
    holder.append(address(2), answer(document(2), 3_000));
    holder.close();
    expect(await answersOf(address(2), { path })).toMatchObject([{ answeredAt: 9_000 }]);
    const third = await open(path);
    expect(third.get(address(2))).toMatchObject({ answeredAt: 9_000 });
    third.close();
    expect(lateFiles(path)).toEqual([]);
  });

  it('take the place of an older answer', async () => {
    const { path, holder } = await lostJournal();
    holder.append(address(0), answer(document(0), 5_000));
    holder.close();
    const next = await open(path);
    expect(next.get(address(0))).toMatchObject({ answeredAt: 5_000 });
    next.close();
  });

  it('stay where they are if merging is aborted', async () => {
    const { path, holder } = await lostJournal();
    holder.close();
    const controller = new AbortController();
    const reason = new Error('enough');
    replaceCall('renameSync', (rename) => (from, to) => {
      rename(from, to);
      controller.abort(reason);
    });
    await expect(open(path, { signal: controller.signal, onDamage: expect.unreachable })).rejects.toBe(reason);
    expect([lateFiles(path).length, openFiles(`${dirname(path)}/`)]).toEqual([1, []]);
    expect(await walletsOf(path)).toEqual([0, 1]);
  });

  it('[81] are included when the journal is only read', async () => {
    const { path, holder } = await lostJournal();
    const file = { path };
    expect(await surveyJournal(file)).toMatchObject({ wallets: 2, answers: 2, oldest: 1_000, newest: 2_000 });
    expect(await answersOf(address(1), file)).toEqual([{ answeredAt: 2_000, text: document(1) }]);
    const ids = await withNewest(file, async ({ answers }) => [...answers].map(({ settled }) => settled));
    expect(ids).toMatchObject([{ text: document(0) }, { text: document(1) }]);
    expect((await readJournal(path, { base })).has(address(1))).toBe(true);
    expect(lateFiles(path)).toHaveLength(1);
    holder.close();
  });

  it('[81] are erased and pruned with the journal', async () => {
    const erased = await lostJournal();
    erased.holder.close();
    const wallets = new WalletIndex();
    wallets.add(address(1));
    expect(await removeAnswers(eraseRule(wallets).rule, { path: erased.path, host })).toMatchObject({
      answersRemoved: 1,
      answersLeft: 1,
    });
    expect([lateFiles(erased.path), readFileSync(erased.path, 'utf8').includes(address(1))]).toEqual([[], false]);
    const pruned = await lostJournal();
    pruned.holder.close();
    await removeAnswers(pruneRule({ since: 1_500 }), { path: pruned.path, host });
    expect(await walletsOf(pruned.path)).toEqual([1]);
  });

  it('are kept until there is a journal with a matching header', async () => {
    const { path, holder } = await lostJournal();
    holder.close();
    truncateSync(path, 30);
    await removeAnswers(pruneRule({ since: 9_000 }), { path, host });
    expect(lateFiles(path)).toHaveLength(1);
    expect(await walletsOf(path)).toEqual([1]);
  });

  it.each([
    ['that others can write', (late: string) => chmodSync(late, 0o666), 'is writable by others'],
    ['with a second name', (late: string) => linkSync(late, `${late}.link`), 'second name'],
    ['of another base URL', (late: string) => replaceIn(late, base, 'https://other.example'), 'another base URL'],
    ['that are no journal', (late: string) => writeFileSync(late, 'notes'), 'is not a riskcli journal'],
  ])('[66] %s are not believed: they are told and left as they are', async (_, spoil, reason) => {
    const { path, holder } = await lostJournal();
    holder.close();
    const [late = ''] = lateFiles(path);
    spoil(join(dirname(path), late));
    const told: string[] = [];
    const uid = process.getuid?.();
    const next = await open(path, { uid, onDamage: (text: string) => told.push(text) });
    expect([next.has(address(0)), next.has(address(1))]).toEqual([true, false]);
    expect(told).toEqual([expect.stringContaining(reason)]);
    next.close();
    expect(await answersOf(address(1), { path, uid })).toEqual([]);
    expect(lateFiles(path).some((name) => name.startsWith(late))).toBe(true);
  });

  it('may be merged by another run first', async () => {
    const { path, holder } = await lostJournal();
    holder.close();
    replaceCall('openSync', (real) => (opened, ...rest) => {
      if (String(opened).includes('.late-')) rmSync(opened, { force: true });
      return real(opened, ...rest);
    });
    const next = await open(path, { onDamage: expect.unreachable });
    expect([0, 1].map((i) => next.has(address(i)))).toEqual([true, false]);
    next.close();
  });

  it('lose a torn end silently, and damaged lines with a message and a copy', async () => {
    const { path, holder } = await lostJournal();
    holder.append(address(2), answer(document(2), 3_000));
    holder.close();
    const [late = ''] = lateFiles(path);
    replaceIn(join(dirname(path), late), document(1), document(3));
    appendFileSync(join(dirname(path), late), '{"crc":"');
    const told: string[] = [];
    (await open(path, { onDamage: (text: string) => told.push(text) })).close();
    expect(told).toEqual([expect.stringContaining(`a copy is '${path}.damaged-1'`)]);
    expect([await walletsOf(path), lateFiles(path)]).toEqual([[0, 2], []]);
  });
});

function replaceIn(file: string, text: string, other: string): void {
  writeFileSync(file, readFileSync(file, 'utf8').replace(text, other));
}

describe('a lock that is lost while a journal is rewritten', () => {
  it('[81] leaves the journal to its new holder: exit 11, nothing is replaced', async () => {
    const path = newPath();
    const store = await open(path);
    for (const i of [0, 1]) store.append(address(i), answer(document(i), i));
    store.close();
    const before = readFileSync(path);
    const rule = pruneRule({ since: 1 });
    const observe = (head: Parameters<NonNullable<typeof rule.observe>>[0]) => {
      rmSync(`${path}.lock`, { force: true });
      rule.observe?.(head);
    };
    const refused = removeAnswers({ ...rule, observe }, { path, host: lookingHost() });
    await expect(refused).rejects.toThrow(LockedError);
    expect(readFileSync(path).equals(before)).toBe(true);
    expect(readdirSync(dirname(path))).toEqual([basename(path)]);
  });
});
