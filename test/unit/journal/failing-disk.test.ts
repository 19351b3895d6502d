/**
 * Journals on a disk that is full or fails: what was whole stays, the error names a remedy, and no
 * file stays open.
 */
import { appendFileSync, existsSync, readdirSync, readFileSync, rmSync, truncateSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, it } from 'vitest';
import type { IoError } from '../../../src/errors.ts';
import type { ResultStore } from '../../../src/journal/store.ts';
import { summarizeJournal } from '../../../src/journal/summarize.ts';
import { failCall, openFiles, replaceCall, systemError } from '../../fixtures/place/calls.ts';
import { address } from '../../fixtures/place/wallets.ts';
import { answer, document, ELSEWHERE, journalOf, newPath, open } from './journal-stage.ts';

const MAKE_ROOM = {
  exitCode: 8,
  isResumable: true,
  hint: 'free up disk space or choose another file with --journal, then run the same command again',
};

/**
 * Writes only the start of the first line for which `isChosen` holds, calls `meanwhile`, and fails.
 */
function tearOneWrite(isTorn = (bytes: Uint8Array) => String(bytes).startsWith('{"crc"'), meanwhile = () => {}): void {
  let torn = false;
  replaceCall('writeSync', (write) => (fd, bytes, ...rest) => {
    if (torn || !isTorn(bytes)) return write(fd, bytes, ...rest);
    torn = true;
    write(fd, bytes.subarray(0, 20));
    meanwhile();
    throw systemError('ENOSPC');
  });
}

it('leaves the journal unchanged by an answer that does not fit, and keeps the next one', async () => {
  const path = await journalOf(1);
  const before = readFileSync(path);
  const journal = await open(path);
  tearOneWrite();
  const message = `the journal '${path}' cannot be written: no space left on the device`;
  expect(() => journal.append(address(1), answer(document(1)))).toThrow(
    expect.objectContaining({ ...MAKE_ROOM, message }),
  );
  expect([readFileSync(path).equals(before), journal.has(address(1))]).toEqual([true, false]);
  journal.append(address(2), answer(document(2)));
  journal.close();
  const again = await open(path, { onDamage: expect.unreachable });
  expect([0, 1, 2].map((i) => again.has(address(i)))).toEqual([true, false, true]);
  again.close();
});

it('creates no journal if its first line does not fit', async () => {
  const path = newPath();
  tearOneWrite((bytes) => String(bytes).startsWith('{"riskcli_journal"'));
  const message = `the journal '${path}' cannot be written: no space left on the device`;
  await expect(open(path)).rejects.toMatchObject({ ...MAKE_ROOM, message });
  expect([readdirSync(dirname(path)), openFiles(`${dirname(path)}/`)]).toEqual([[], []]);
});

it('does not truncate data that another program added after a partial answer', async () => {
  const path = await journalOf(1);
  const journal = await open(path);
  tearOneWrite(undefined, () => appendFileSync(path, 'x'.repeat(1_000)));
  expect(() => journal.append(address(1), answer(document(1)))).toThrow('cannot be written');
  journal.close();
  expect(readFileSync(path, 'utf8')).toMatch(/\n\{"crc":"[0-9a-f]{8}","wx{1000}$/);
});

type Use = (path: string, journal: ResultStore | undefined) => Promise<unknown>;
const opened: Use = (path) => open(path);
const summarized: Use = (path) => summarizeJournal({ path });
const synced: Use = async (_, journal) => journal?.sync();
const removed: Use = async (_, journal) => journal?.remove();

const onPath = (call: 'openSync' | 'unlinkSync', code: string) => (path: string) =>
  failCall(call, code, (given) => given === path);
const unchecked = () => failCall('fstatSync', 'EIO', (_, options) => options?.bigint !== true);
const unsynced = (path: string) => onPath('openSync', 'EIO')(dirname(path));
const unlocked = (path: string) => onPath('openSync', 'EROFS')(`${path}.lock`);

/** What goes wrong, what is done then, and what that is refused with. */
const FAULTS: readonly (readonly [
  what: string,
  wrong: (path: string) => void,
  use: Use,
  says: string,
  hint: string,
])[] = [
  ['cannot be read', () => failCall('readSync', 'EIO'), summarized, 'cannot be read: EIO', 'move it away'],
  ['is in a folder that cannot be synced', unsynced, opened, 'cannot be written: EIO', MAKE_ROOM.hint],
  ['is in a folder that takes no locks', unlocked, opened, ".lock' cannot be created", `writable, or ${ELSEWHERE}`],
  ['cannot be opened', onPath('openSync', 'EACCES'), opened, 'cannot be opened: permission', `folder, or ${ELSEWHERE}`],
  ['is an argument', onPath('openSync', 'EACCES'), summarized, 'cannot be opened: permission', 'choose another file'],
  ['was cut by another program', (path) => truncateSync(path, 100), synced, 'was changed by another', 'find out which'],
  ['was removed', (path) => rmSync(path), synced, 'was removed or replaced', 'find out what did that'],
  ['can no longer be checked', unchecked, synced, 'cannot be checked: EIO', 'run the same command again'],
  ['stays though it is done', onPath('unlinkSync', 'EPERM'), removed, 'cannot be removed: permission', 'delete it, or'],
];

it.each(FAULTS)('reports a journal that %s, with a remedy', async (_, wrong, use, says, hint) => {
  const path = await journalOf(1);
  const journal = use === synced || use === removed ? await open(path) : undefined;
  wrong(path);
  const expected = { exitCode: 8, message: expect.stringContaining(says), hint: expect.stringContaining(hint) };
  const refused = await use(path, journal).catch((error: unknown) => error);
  expect(refused).toMatchObject(expected);
  // isResumable is true if the hint says to run the same command again.
  expect(refused).toHaveProperty('isResumable', (refused as IoError).hint?.includes('same command'));
  journal?.close();
  expect([openFiles(`${dirname(path)}/`), existsSync(`${path}.lock`)]).toEqual([[], false]);
});

it('accepts that a journal which it removes is already gone', async () => {
  const path = await journalOf(1);
  const journal = await open(path);
  replaceCall('unlinkSync', (unlink) => (name) => {
    if (name === path) unlink(name);
    unlink(name);
  });
  await journal.remove();
  expect(existsSync(path)).toBe(false);
});
