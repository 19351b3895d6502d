/** Journals that are damaged, that somebody else has a hand in, or that change under a run. */

import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  linkSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname } from 'node:path';
import { crc32 } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { IoError } from '../../../src/errors.ts';
import { readJournal } from '../../../src/journal/journal.ts';
import { APPENDING, truncateTo } from '../../../src/journal/journal-file.ts';
import { journalHeaderLine } from '../../../src/journal/journal-records.ts';
import { checksumText } from '../../../src/journal/record.ts';
import { summarizeJournal } from '../../../src/journal/summarize.ts';
import { openFiles } from '../../fixtures/place/calls.ts';
import { address } from '../../fixtures/place/wallets.ts';
import { offsets } from '../../fixtures/sweep.ts';
import { answer, baseUrl, document, journalOf, newPath, open } from './journal-stage.ts';

/** Opens the journal with `bytes` in it, and returns which of the wallets 0 to 3 it still has. */
async function opened(path: string, bytes: Buffer | string) {
  writeFileSync(path, bytes);
  const warnings: string[] = [];
  const journal = await open(path, { onDamage: (text: string) => warnings.push(text) });
  const known = [0, 1, 2, 3].filter((i) => journal.has(address(i)));
  const texts = known.map((i) => journal.get(address(i)));
  journal.close();
  return { known, texts, warnings };
}

it('loses only the record with a changed byte, reports it, and does not rewrite the file', async () => {
  const path = await journalOf(4);
  const whole = readFileSync(path);
  const start = whole.indexOf(10) + 1;
  for (const at of offsets(whole, start, whole.indexOf(10, start))) {
    const bytes = Buffer.from(whole);
    bytes[at] = (bytes[at] ?? 0) ^ 0x04;
    const { known, texts, warnings } = await opened(path, bytes);
    expect({ at, known }).toEqual({ at, known: [1, 2, 3] });
    expect(texts[0]).toMatchObject({ text: document(1) });
    expect(warnings).toEqual([`damaged records in the journal '${path}': 1; their wallets are asked again`]);
    expect(readFileSync(path).equals(bytes)).toBe(true);
  }
  expect(readdirSync(dirname(path))).toEqual([basename(path)]);
});

it('adds the new answer of a wallet after its damaged record', async () => {
  const path = await journalOf(2);
  writeFileSync(path, readFileSync(path, 'utf8').replace('"n":0', '"n":9'));
  const journal = await open(path, { onDamage: () => {} });
  journal.append(address(0), answer(document(0, 'again')));
  journal.close();
  const later = await open(path, { onDamage: () => {} });
  expect([0, 1].map((i) => later.get(address(i)))).toMatchObject([
    { text: document(0, 'again') },
    { text: document(1) },
  ]);
  later.close();
});

it('loses only the records of truncated, joined and endless lines', async () => {
  const path = await journalOf(4);
  const lines = readFileSync(path, 'utf8').split('\n');
  for (const [text, known] of [
    [[lines[0], lines[1]?.slice(0, 50), lines[2], ''].join('\n'), [1]],
    [[lines[0], '', lines[2], ''].join('\n'), [1]],
    [[lines[0], `${lines[1]}${lines[2]}`, lines[3], ''].join('\n'), [2]],
    [
      [lines[0], `${'x'.repeat(32 * 2 ** 20)}${lines[1]}`, lines[4], lines[3], lines[2]?.slice(0, 9)].join('\n'),
      [2, 3],
    ],
  ] as const) {
    expect((await opened(path, text)).known).toEqual(known);
  }
});

/** Records whose checksum is right: somebody else wrote them, or an earlier version did. */
const id = address(0);
const sealed = (rest: string) => `{"crc":"${checksumText(crc32(rest))}",${rest}\n`;
const record = (content: string, { wallet = id, at = '2026-01-01T00:00:00.000Z', kind = 'document' } = {}) =>
  sealed(`"wallet":"${wallet}","answered_at":"${at}","${kind}":${content}}`);
const refusal = (content: string) => record(content, { kind: 'refused' });
const deep = `{"wallet_address":"${id}","total_collateral_usd":1,"n":${'['.repeat(3_000)}${']'.repeat(3_000)}}`;

it.each([
  ['that is the answer', record(document(0)), true],
  ['that is a refusal', refusal('{"code":"refused","message":"no such wallet","httpStatus":404}'), true],
  ['that is no JSON', record('{"wallet_address"'), false],
  ['that is an array', record(`[${document(0)}]`), false],
  ['that is too deep', record(deep), false],
  ['with a raw control character', record(document(0).replace('"n"', '"\u0001"')), false],
  ['with text behind the answer', record(`${document(0)} x`), false],
  ['without an end', sealed(record(document(0)).slice(18, -2)), false],
  ['without collateral', record(`{"wallet_address":"${id}"}`), false],
  ['about another wallet', record(document(1)), false],
  ['of what is no wallet', record(document(0), { wallet: '0x12' }), false],
  ['of a day that does not exist', record(document(0), { at: '2026-13-41T00:00:00.000Z' }), false],
  ['with a refusal that is no JSON', refusal('{'), false],
  ['with a refusal that is null', refusal('null'), false],
  ['with a refusal without a reason', refusal('{"code":"refused"}'), false],
  ['with a refusal whose status is a text', refusal('{"code":"refused","message":"no","httpStatus":"404"}'), false],
])('accepts a journal record only if it is whole: %s', async (_, line, isAccepted) => {
  const path = await journalOf(0);
  writeFileSync(path, journalHeaderLine({ baseUrl }) + line);
  const warnings: string[] = [];
  const journal = await open(path, { onDamage: (text: string) => warnings.push(text) });
  expect([journal.has(id), warnings.length]).toEqual([isAccepted, isAccepted ? 0 : 1]);
  journal.close();
  expect(await summarizeJournal({ path })).toMatchObject({ damagedLines: isAccepted ? 0 : 1 });
});

describe.skipIf(process.platform === 'win32')('a journal that somebody else has a hand in', () => {
  const me = process.getuid?.() ?? 0;
  const refused = async (path: string, uid = me) => {
    const before = readFileSync(path);
    const opening = await open(path, { uid }).catch((error: unknown) => error);
    const reading = await readJournal({ path, baseUrl, uid }).catch((error: unknown) => error);
    expect(readFileSync(path)).toEqual(before);
    expect(existsSync(`${path}.lock`)).toBe(false);
    expect(openFiles(path)).toEqual([]);
    return [opening, reading].map((error) => (error instanceof IoError ? error.message : error));
  };

  const chmods = (...modes: readonly number[]) => modes.map((mode) => (path: string) => chmodSync(path, mode));
  const inFolder = (mode: number) => (path: string) => chmodSync(dirname(path), mode);

  it.each([
    ['others can write it', 'is writable by others', chmods(0o602, 0o620, 0o666)],
    ['everybody can write its folder', 'anyone can write', [inFolder(0o777)]],
    ['it has a second name, which has a lock of its own', 'hard link', [(path: string) => linkSync(path, `${path}2`)]],
  ])('refuses a journal if %s', async (_, says, changes) => {
    for (const change of changes) {
      const path = await journalOf(1);
      change(path);
      for (const message of await refused(path)) expect(message).toContain(says);
    }
  });

  it.each([...chmods(0o644), inFolder(0o1777), inFolder(0o775)])(
    'accepts a journal with usual modes',
    async (change) => {
      const path = await journalOf(1);
      change(path);
      (await open(path, { uid: me })).close();
    },
  );

  it.skipIf(me !== 0)('refuses a journal that another user owns, to root as well', async () => {
    const path = await journalOf(1);
    chownSync(path, 4321, 0);
    for (const uid of [0, 1]) {
      for (const message of await refused(path, uid)) expect(message).toContain('belongs to another user');
    }
    chownSync(path, 0, 0);
    (await open(path, { uid: 1 })).close();
  });

  it('creates no journal in a folder that everybody can write, unless no owner is expected', async () => {
    const path = newPath();
    inFolder(0o777)(path);
    const hint = expect.stringMatching(
      /^run chmod o-w .*; where its mode cannot be changed, choose another file with --journal, in another folder$/,
    );
    await expect(open(path, { uid: me })).rejects.toMatchObject({ hint });
    (await open(path)).close();
  });
});

const swapped = async (change: (path: string, bytes: Buffer) => void) => {
  const path = await journalOf(3);
  const journal = await open(path);
  change(path, readFileSync(path));
  const got = [0, 1, 2].map((i) => {
    try {
      return journal.get(address(i));
    } catch (error) {
      return error;
    }
  });
  return { path, journal, got };
};

const changes: readonly [string, (path: string, bytes: Buffer) => void][] = [
  [
    'of another wallet',
    (path, bytes) => {
      const [header, first, second, third] = bytes.toString().split('\n');
      writeFileSync(path, [header, second, third, first, ''].join('\n'));
    },
  ],
  ['whose checksum fails', (path, bytes) => writeFileSync(path, bytes.toString().replaceAll('"n":', '"m":'))],
  ['that is cut short', (path) => truncateSync(path, 100)],
];
it.each(changes)('returns no record of a journal %s', async (_, change) => {
  const { got, journal } = await swapped(change);
  for (const error of got) expect(error).toMatchObject({ exitCode: 8, hint: expect.stringContaining('same command') });
  journal.close();
});

it('does not delete a file that has replaced the journal, and reports that answers are lost', async () => {
  const { path, journal, got } = await swapped((at) => {
    rmSync(at);
    writeFileSync(at, 'foreign');
  });
  expect(got).toMatchObject([0, 1, 2].map((i) => ({ ...answer(document(i)), offset: expect.any(Number) })));
  expect(journal.isKept).toBe(false);
  await expect(journal.sync()).rejects.toThrow('was removed or replaced');
  await journal.remove();
  journal.close();
  expect(readFileSync(path, 'utf8')).toBe('foreign');
});

it('does not truncate a file that has replaced the journal', async () => {
  const path = await journalOf(1);
  const fd = openSync(path, APPENDING);
  const whole = readFileSync(path);
  renameSync(path, `${path}.before`);
  writeFileSync(path, 'foreign');
  truncateTo({ fd, path }, 3);
  expect([readFileSync(path, 'utf8'), readFileSync(`${path}.before`).equals(whole)]).toEqual(['foreign', true]);
  renameSync(`${path}.before`, path);
  truncateTo({ fd, path }, 3);
  expect(readFileSync(path)).toHaveLength(3);
  closeSync(fd);
});

it('removes a journal without answers when it is closed, unless the file existed before', async () => {
  const path = newPath();
  (await open(path)).close();
  expect(existsSync(path)).toBe(false);
  const kept = await journalOf(1);
  (await open(kept)).close();
  writeFileSync(path, '');
  (await open(path)).close();
  expect([existsSync(kept), existsSync(path)]).toEqual([true, true]);
});
