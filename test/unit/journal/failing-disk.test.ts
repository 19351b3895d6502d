/** Journals on a disk that is full or fails: what was whole stays, what helps is told, and no file stays open. */
import { appendFileSync, existsSync, readdirSync, readFileSync, rmSync, truncateSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { expect, it } from 'vitest';
import { summarizeJournal } from '../../../src/journal/summarize.ts';
import { failCall, openFiles, replaceCall, systemError } from '../../fixtures/place/calls.ts';
import { address } from '../../fixtures/place/wallets.ts';
import { answer, document, ELSEWHERE, journalOf, newPath, open } from './journal-stage.ts';

const MAKE_ROOM = {
  exitCode: 8,
  isResumable: true,
  hint: 'free up disk space or choose another file with --journal, then run the same command again',
};

/** The first line that `isTorn` holds for is not written as a whole, and `meanwhile` happens. */
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

it('an answer that does not fit leaves the journal unchanged, and the next one is kept', async () => {
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

it('a journal is not created if its first line does not fit', async () => {
  const path = newPath();
  tearOneWrite((bytes) => String(bytes).startsWith('{"riskcli_journal"'));
  const message = `the journal '${path}' cannot be written: no space left on the device`;
  await expect(open(path)).rejects.toMatchObject({ ...MAKE_ROOM, message });
  expect([readdirSync(dirname(path)), openFiles(`${dirname(path)}/`)]).toEqual([[], []]);
});

it('data added by another program after a partial answer is not truncated', async () => {
  const path = await journalOf(1);
  const journal = await open(path);
  tearOneWrite(undefined, () => appendFileSync(path, 'x'.repeat(1_000)));
  expect(() => journal.append(address(1), answer(document(1)))).toThrow('cannot be written');
  journal.close();
  expect(readFileSync(path, 'utf8')).toMatch(/\n\{"crc":"[0-9a-f]{8}","wx{1000}$/);
});

it('a journal that cannot be read from the disk is left alone, and the error has a hint', async () => {
  const path = await journalOf(1);
  failCall('readSync', 'EIO');
  await expect(summarizeJournal({ path })).rejects.toMatchObject({
    message: `the journal '${path}' cannot be read: EIO`,
    hint: 'move it away and run the same command again, which asks for its wallets again',
    isResumable: true,
  });
  expect(openFiles(`${dirname(path)}/`)).toEqual([]);
});

it('[79] a journal whose folder cannot be synced accepts no answers', async () => {
  const path = await journalOf(1);
  failCall('openSync', 'EIO', (opened) => opened === dirname(path));
  const message = `the journal '${path}' cannot be written: EIO`;
  await expect(open(path)).rejects.toMatchObject({ ...MAKE_ROOM, message });
  expect([readdirSync(dirname(path)), openFiles(`${dirname(path)}/`)]).toEqual([[basename(path)], []]);
});

it('an error about a folder without locks says where else the answers could be kept', async () => {
  const path = newPath();
  failCall('openSync', 'EROFS', (opened) => opened.startsWith(`${path}.lock`));
  await expect(open(path)).rejects.toMatchObject({
    message: expect.stringContaining('cannot be created: the file system is read-only'),
    hint: 'make its folder writable, or choose another file with --journal',
  });
});

it('a journal that cannot be opened is told as it was named', async () => {
  const path = await journalOf(1);
  failCall('openSync', 'EACCES', (opened) => opened === path);
  const message = `the journal '${path}' cannot be opened: permission denied`;
  const hint = (elsewhere: string) => `check the modes of the file and its folder, or ${elsewhere}`;
  await expect(summarizeJournal({ path })).rejects.toMatchObject({ message, hint: hint('choose another file') });
  await expect(open(path)).rejects.toMatchObject({ message, hint: hint(ELSEWHERE) });
});

it('changes to a journal by another program are reported when it is synced', async () => {
  const path = await journalOf(2);
  const journal = await open(path);
  truncateSync(path, 100);
  await expect(journal.sync()).rejects.toMatchObject({
    code: 'journal_damaged',
    message: `the journal '${path}' was changed by another program while this run was using it`,
    hint: 'find out which one, then run the same command again: complete answers in it are kept',
    isResumable: true,
  });
  rmSync(path);
  await expect(journal.sync()).rejects.toMatchObject({
    message: `the journal '${path}' was removed or replaced while this run was writing to it, and its answers are lost`,
    hint: 'find out what did that, then run the same command again',
    isResumable: true,
  });
  journal.close();
});

it('a journal that can no longer be checked is reported, and can be resumed', async () => {
  const path = await journalOf(1);
  const journal = await open(path);
  failCall('fstatSync', 'EIO', (_, options) => options?.bigint !== true);
  await expect(journal.sync()).rejects.toMatchObject({
    message: `the journal '${path}' cannot be checked: EIO`,
    hint: 'run the same command again to resume',
    isResumable: true,
  });
  journal.close();
});

it('a finished journal that cannot be removed is reported, because its answers would be reused', async () => {
  const path = await journalOf(1);
  const journal = await open(path);
  failCall('unlinkSync', 'EPERM', (name) => name === path);
  await expect(journal.remove()).rejects.toMatchObject({
    message: `the journal '${path}' cannot be removed: permission denied`,
    hint: 'delete it, or the next run will reuse its answers, however old they are',
  });
  journal.close();
  expect([existsSync(path), existsSync(`${path}.lock`)]).toEqual([true, false]);
});

it('a journal that is already gone need not be removed', async () => {
  const path = await journalOf(1);
  const journal = await open(path);
  replaceCall('unlinkSync', (unlink) => (name) => {
    if (name === path) unlink(name);
    unlink(name);
  });
  await journal.remove();
  expect(existsSync(path)).toBe(false);
});

/** A run that has lost the lock of its journal, before its first late answer. */
