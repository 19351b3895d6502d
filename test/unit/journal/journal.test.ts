import {
  appendFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { LockedError, UsageError } from '../../../src/errors.ts';
import { journalBaseUrl, readJournal, SANDBOX_BASE_URL } from '../../../src/journal/journal.ts';
import type { JournalRecord } from '../../../src/journal/record.ts';
import { testHost } from '../../fixtures/cli/here.ts';
import { openFiles } from '../../fixtures/place/calls.ts';
import { temporaryFolder } from '../../fixtures/place/folder.ts';
import { address } from '../../fixtures/place/wallets.ts';
import { offsets } from '../../fixtures/sweep.ts';
import { answer, baseUrl, document, journalOf, newPath, open } from './journal-stage.ts';

it('returns records verbatim, also after it was reopened', async () => {
  const path = newPath();
  const text = `{"n": 1e400,\r\n "1": 0.10, "__proto__": "\\u00e9é\\n", "n": 9007199254740993, ${document(1).slice(1)}`;
  const refusal = { code: 'refused', message: 'the service refused "it"\n', httpStatus: 404 };
  const first = await open(path);
  first.append(address(1), answer(text));
  first.append(address(2), { answeredAt: 1_700_000_000_001, refusal });
  const asWritten = { answeredAt: 1_700_000_000_000, text: text.replace('\r\n', '  ') };
  expect(first.get(address(1))).toMatchObject(asWritten);
  first.close();

  const again = await open(path);
  expect(again.get(address(1))).toMatchObject(asWritten);
  expect(again.get(address(2))).toMatchObject({ answeredAt: 1_700_000_000_001, refusal });
  expect(again.get(address(3))).toBeUndefined();
  expect([again.has(address(1)), again.has(address(3)), again.size]).toEqual([true, false, 2]);
  again.close();
});

it('writes JSON Lines that only the owner can read', async () => {
  const path = await journalOf(2);
  const lines = readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines[0]).toEqual({ riskcli_journal: 1, base_url: baseUrl });
  expect(lines[2]).toMatchObject({ wallet: address(1), answered_at: '2023-11-14T22:13:20.000Z', document: { n: 1 } });
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

it('uses the later of two records of a wallet', async () => {
  const path = await journalOf(3);
  const journal = await open(path);
  journal.append(address(1), answer(document(1, 'new')));
  expect(journal.get(address(1))).toMatchObject({ text: document(1, 'new') });
  journal.close();
  const again = await open(path);
  expect(again.get(address(1))).toMatchObject({ text: document(1, 'new') });
  expect(again.size).toBe(3);
  again.close();
});

it('ignores answers that may not be reused', async () => {
  const path = newPath();
  const journal = await open(path);
  for (const i of [1, 2, 3]) journal.append(address(i), answer(document(i), 1_000_000_000_000 + i));
  journal.close();
  const again = await open(path, { isReusable: ({ answeredAt }: JournalRecord) => answeredAt === 1_000_000_000_002 });
  expect([1, 2, 3].map((i) => again.has(address(i)))).toEqual([false, true, false]);
  again.close();
});

it('does not change a journal by opening it', async () => {
  const path = await journalOf(2);
  utimesSync(path, 1_000, 1_000);
  (await open(path)).close();
  expect(statSync(path).mtimeMs).toBe(1_000_000);
});

it('locks a journal while it is open, and allows it to be closed twice or removed', async () => {
  const path = newPath();
  const journal = await open(path);
  await expect(open(path)).rejects.toThrow(LockedError);
  journal.close();
  journal.close();
  await journal.sync();
  expect(existsSync(`${path}.lock`)).toBe(false);
  const again = await open(path);
  await again.remove();
  again.close();
  expect([existsSync(path), existsSync(`${path}.lock`)]).toEqual([false, false]);
});

it('stops reading a journal on an abort', async () => {
  const path = await journalOf(3);
  const reason = new Error('enough');
  await expect(open(path, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  expect(existsSync(`${path}.lock`)).toBe(false);
  const none = newPath();
  await expect(open(none, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  expect(readdirSync(dirname(none))).toEqual([]);
});

it('loses only the last record of a truncated journal, at whatever byte it is cut', async () => {
  const path = await journalOf(3);
  const whole = readFileSync(path);
  const lastStart = whole.lastIndexOf(10, whole.length - 2) + 1;
  for (const length of offsets(whole, lastStart)) {
    writeFileSync(path, whole.subarray(0, length));
    const journal = await open(path);
    expect([journal.has(address(1)), journal.has(address(2))]).toEqual([true, false]);
    expect(statSync(path).size).toBe(lastStart);
    journal.append(address(2), answer(document(2)));
    journal.close();
    expect(readFileSync(path)).toEqual(whole);
  }
  expect(openFiles(path)).toEqual([]);
});

it('starts a new journal if the header is incomplete', async () => {
  const path = await journalOf(1);
  const header = readFileSync(path).subarray(0, readFileSync(path).indexOf(10) + 1);
  for (const length of offsets(header)) {
    writeFileSync(path, header.subarray(0, length));
    const journal = await open(path);
    expect([journal.size, readFileSync(path)]).toEqual([0, header]);
    journal.close();
  }
});

it('starts a new journal if NULs replace the end of the header, at whatever byte they start', async () => {
  const path = await journalOf(1);
  const header = readFileSync(path).subarray(0, readFileSync(path).indexOf(10) + 1);
  for (const length of [0, 1, 17, 18, 40, header.length - 1]) {
    writeFileSync(path, Buffer.concat([header.subarray(0, length), Buffer.alloc(70_000)]));
    expect((await readJournal({ path, baseUrl })).offsets.size).toBe(0);
    const journal = await open(path);
    expect([journal.size, readFileSync(path)]).toEqual([0, header]);
    journal.close();
  }
});

it('refuses a journal with a record after NULs, and leaves it unchanged', async () => {
  const path = await journalOf(1);
  const records = readFileSync(path).subarray(readFileSync(path).indexOf(10));
  for (const left of [
    Buffer.concat([Buffer.alloc(1), records]),
    Buffer.concat([Buffer.alloc(70_000), records]),
    Buffer.concat([Buffer.from('{"riskcli_'), Buffer.alloc(70_000), records.subarray(1, 30)]),
  ]) {
    writeFileSync(path, left);
    await expect(open(path)).rejects.toMatchObject({ code: 'journal_damaged', exitCode: 8 });
    expect(readFileSync(path).equals(left)).toBe(true);
  }
});

it('keeps the records before the NULs of a power cut', async () => {
  const path = await journalOf(3);
  const whole = readFileSync(path);
  appendFileSync(path, Buffer.alloc(70_000));
  const journal = await open(path, { onDamage: (warning: string) => expect.unreachable(warning) });
  expect([journal.size, readFileSync(path)]).toEqual([3, whole]);
  journal.close();
});

const openFails = async (path: string, options = {}) => {
  const before = existsSync(path) && statSync(path).isFile() ? readFileSync(path) : undefined;
  const error: unknown = await open(path, options).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (before) expect(readFileSync(path)).toEqual(before);
  expect(existsSync(`${path}.lock`)).toBe(false);
  return error;
};

it('refuses a journal with a damaged header', async () => {
  const path = await journalOf(1);
  const record = readFileSync(path, 'utf8').split('\n')[1];
  for (const text of [`{"riskcli_journal":1,"base\n${record}\n`, '{"riskcli_journal":"x"}\n']) {
    writeFileSync(path, text);
    expect(await openFails(path)).toMatchObject({
      code: 'journal_damaged',
      message: `the journal '${path}' is damaged in line 1`,
      hint: 'move it away and run the same command again, which asks for its wallets again',
      isResumable: true,
    });
  }
});

it('refuses a journal of another base URL with exit 2', async () => {
  const error = await openFails(await journalOf(1), { baseUrl: SANDBOX_BASE_URL });
  expect(error).toBeInstanceOf(UsageError);
  expect(error).toMatchObject({
    code: 'journal_base_url',
    message: expect.stringContaining(`holds answers from ${baseUrl}, not from sandbox`),
    hint: 'choose another file with --journal, or use the base URL it was made with',
  });
});

it('refuses a journal that a newer riskcli wrote', async () => {
  const path = newPath();
  writeFileSync(path, '{"riskcli_journal":3,"made":"otherwise"}\nwhatever');
  expect(await openFails(path)).toMatchObject({
    exitCode: 8,
    message: `the journal '${path}' was written by a newer version of riskcli`,
    hint: 'update riskcli, or choose another file with --journal',
  });
});

it('refuses a file that is not a journal', async () => {
  const path = newPath();
  for (const text of ['address\n0x00\n', 'no newline at all', '{"riskcli_journey":1}', '{}\n', '\n']) {
    writeFileSync(path, text);
    expect(await openFails(path)).toMatchObject({
      exitCode: 8,
      message: expect.stringContaining('not a riskcli journal'),
      hint: 'choose another file with --journal',
    });
  }
});

it('refuses a journal that is a link, or in a place where no file can be', async () => {
  const folder = temporaryFolder();
  const there = (name: string) => join(folder, name);
  symlinkSync(there('nowhere'), there('dangling'));
  expect(await openFails(there('dangling'))).toMatchObject({
    message: expect.stringMatching(/it is a symbolic link$/),
  });
  expect(existsSync(there('nowhere'))).toBe(false);
  for (const uid of [undefined, process.getuid?.()])
    expect(await openFails(there('missing/journal'), { uid })).toMatchObject({ exitCode: 8 });
});

it('reads the complete records of a journal that another run holds', async () => {
  const path = await journalOf(3);
  truncateSync(path, statSync(path).size - 5);
  const before = readFileSync(path);
  writeFileSync(`${path}.lock`, 'held');
  const { offsets } = await readJournal({ path, baseUrl });
  expect([...offsets.keys()]).toEqual([address(0), address(1)]);
  expect(readFileSync(path)).toEqual(before);
});

it.each([
  ['https://API.example:443/', 'https://api.example'],
  ['https://api.example/v/', 'https://api.example/v'],
  ['http://127.0.0.1:8080', 'http://127.0.0.1:8080'],
])('stores the base %s in a journal as %s', (url, expected) => expect(journalBaseUrl(new URL(url))).toBe(expected));

it("keeps the records of both runs if one took over the other's lock after a long halt", async () => {
  const path = newPath();
  // The clock stands still, so both still trust their last check of the lock, as after a halt.
  const from = (hostName: string) => open(path, { host: testHost({ hostName: () => hostName, monotonic: () => 0 }) });
  const halted = await from('one');
  halted.append(address(1), answer(document(1)));
  utimesSync(`${path}.lock`, 1, 1);
  const second = await from('other');
  second.append(address(2), answer(document(2, 'x'.repeat(1_000))));
  halted.append(address(3), answer(document(3)));
  second.close();
  halted.close();
  const both = await open(path, { onDamage: (warning: string) => expect.unreachable(warning) });
  expect([1, 2, 3].filter((i) => both.has(address(i)))).toEqual([1, 2, 3]);
  both.close();
});
