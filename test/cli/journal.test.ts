/** `riskcli journal`: real files, and the whole program against streams that the test reads. */
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openJournal } from '../../src/journal/journal.ts';
import { cli, testHost } from '../fixtures/cli/here.ts';
import { temporaryFolder } from '../fixtures/place/folder.ts';
import { address } from '../fixtures/place/wallets.ts';

const BASE = 'https://api.example/prefix';
const DAY = 86_400_000;
const NOW = Date.parse('2026-06-01T00:00:00Z');
const day = (number: number) => NOW - 100 * DAY + number * DAY;
const refusal = { code: 'refused', message: 'no such wallet', httpStatus: 404 };
/** A wallet with letters in it, as a person writes it and as a journal does. */
const MIXED = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';

const answerOf = (wallet: string, score: string, more = '') =>
  `{"wallet_address":"${wallet}","total_collateral_usd":${score}.50,"defi_score":{"score":${score}}${more}}`;

type Entry = readonly [wallet: string, day: number, text: string | undefined];

/** A journal with `entries`; undefined is a refusal. */
async function journalOf(entries: readonly Entry[]): Promise<string> {
  const path = join(temporaryFolder(), 'answers.journal');
  const journal = await openJournal({ path, baseUrl: BASE, host: testHost() });
  for (const [wallet, number, text] of entries) {
    const answeredAt = day(number);
    journal.append(wallet.toLowerCase(), text === undefined ? { answeredAt, refusal } : { answeredAt, text });
  }
  journal.close();
  return path;
}

const SAMPLE: readonly Entry[] = [
  [address(1), 1, answerOf(address(1), '10')],
  [address(2), 2, answerOf(address(2), '20')],
  [MIXED, 3, answerOf(MIXED, '599', ',"note":"MARKER-of-599"')],
  [address(1), 40, answerOf(address(1), '11')],
  [address(2), 41, undefined],
  [MIXED.toLowerCase(), 42, answerOf(MIXED, '640', ',"note":"MARKER-of-640"')],
  [address(1), 90, answerOf(address(1), '12')],
];

/** The days of its records. */
const daysIn = (path: string) =>
  [...readFileSync(path, 'utf8').matchAll(/"answered_at":"([^"]+)"/g)].map(([, at = '']) =>
    Math.round((Date.parse(at) - day(0)) / DAY),
  );

const options = { now: () => NOW };

it('names the journal or the kept review of a list that is given in its place', async () => {
  const list = join(temporaryFolder(), 'holders.csv');
  writeFileSync(list, `holder\n${address(1)}\n`);
  const show = () => cli(['journal', 'show', list]);
  expect((await show()).stderr).toContain('is not a riskcli journal; choose another file');
  writeFileSync(`${list}.journal`, '');
  expect((await show()).stderr).toContain(`is not a riskcli journal; did you mean '${list}.journal'?`);
  mkdirSync(`${list}.reviews`);
  const review = join(`${list}.reviews`, '2026-11-23T060312Z.jsonl');
  writeFileSync(review, '');
  for (const args of [
    ['report', list],
    ['diff', list, list],
  ]) {
    const { stderr, exitCode } = await cli(args);
    expect({ stderr, exitCode }).toEqual({
      stderr: expect.stringContaining(`; did you mean '${review}'?`),
      exitCode: 9,
    });
  }
});

it('counts damaged lines and says that they are ignored', async () => {
  const path = await journalOf(SAMPLE);
  writeFileSync(path, readFileSync(path, 'utf8').replace('"score":20', '"score":99'));
  const { stdout, stderr } = await cli(['journal', 'show', path, '--json']);
  expect(JSON.parse(stdout)).toMatchObject({ answers: 5, damaged_lines: 1 });
  expect(JSON.parse(stderr).note).toBe(`damaged records left out of the journal '${path}': 1`);
});

it.each([
  ['the newest answer and refusal of each wallet', [], [2, 41, 42, 90]],
  ['of these what is young', ['--older-than', '58d'], [42, 90]],
  ['nothing of a wallet', ['--wallet', MIXED, '--wallet', address(2)], [90]],
])('prunes a journal, but keeps %s', async (_, args, left) => {
  const path = await journalOf(SAMPLE);
  chmodSync(path, 0o640);
  const bytes = statSync(path).size;
  const { exitCode, stderr, stdout } = await cli(['journal', 'prune', path, ...args, '--json'], options);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  expect(daysIn(path)).toEqual(left);
  expect(JSON.parse(stdout)).toMatchObject({
    answers_removed: 7 - left.length,
    answers_left: left.length,
    bytes_before: bytes,
    bytes_after: statSync(path).size,
  });
  expect(statSync(path).mode & 0o777).toBe(0o640);
  expect(readdirSync(join(path, '..'))).toEqual(['answers.journal']);
});

it('leaves no byte of a wallet, and removes damaged and torn lines and what a killed run has left', async () => {
  const path = await journalOf(SAMPLE);
  const text = readFileSync(path, 'utf8').replace(MIXED.toLowerCase(), MIXED.toLowerCase().replace('0xd8', '0xd9'));
  writeFileSync(path, `${text}{"crc":"12345678","wallet":"${MIXED.toLowerCase()}","answ`);
  // The unfinished new file of a killed run.
  writeFileSync(join(path, '..', '.answers.journal.0123456789abcdef.tmp'), text);
  const { exitCode, stderr } = await cli(['journal', 'prune', path, '--wallet', MIXED]);
  expect(exitCode).toBe(0);
  expect(stderr).toContain(`damaged records dropped from the journal '${path}': 1\n`);
  expect(readFileSync(path, 'latin1')).not.toMatch(/MARKER|6bf26964/i);
  expect(readdirSync(join(path, '..'))).toEqual(['answers.journal']);
});

it('exits with 11 while a run holds the journal, and changes nothing', async () => {
  const path = await journalOf(SAMPLE);
  const before = readFileSync(path);
  const journal = await openJournal({ path, baseUrl: BASE, host: testHost() });
  expect((await cli(['journal', 'prune', path])).exitCode).toBe(11);
  journal.close();
  expect(readFileSync(path)).toEqual(before);
  expect(existsSync(`${path}.lock`)).toBe(false);
});

it.each([[['--wallet', '0x12']], [['--older-than', 'soon']]])('refuses to prune with %j', async (args) => {
  const path = await journalOf(SAMPLE);
  expect(await cli(['journal', 'prune', path, ...args])).toMatchObject({ exitCode: 2, stdout: '' });
});
