/** Kept reviews as files: their own lines, the hash, and which of a folder can be used. */
import { createHash } from 'node:crypto';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { expect, it } from 'vitest';
import type { Context } from '../../../src/context.ts';
import { numberNode } from '../../../src/document/node.ts';
import { parseDocument } from '../../../src/document/parse.ts';
import { parseRules } from '../../../src/rules/rules.ts';
import { inspectKept, openKept } from '../../../src/runs/kept-file.ts';
import { KeptReviews } from '../../../src/runs/kept-reviews.ts';
import { createKeptSink } from '../../../src/runs/kept-sink.ts';
import { isMarkerLine, REMOVED_KEY } from '../../../src/runs/marker-lines.ts';
import { keptFiles } from '../../../src/runs/review-folder.ts';
import {
  endLine,
  headerLine,
  type ReviewEnd,
  type ReviewHeader,
  readEnd,
  readHeader,
  readRemovedLine,
  removedLine,
} from '../../../src/runs/review-lines.ts';
import { DAY_MS } from '../../../src/text/when.ts';
import { testHost } from '../../fixtures/cli/here.ts';
import { temporaryFolder } from '../../fixtures/place/folder.ts';
import { address } from '../../fixtures/place/wallets.ts';

const STARTED = Date.parse('2026-10-05T06:03:12.345Z');
const URL = 'https://api.example.com';

const HEADER: ReviewHeader = {
  list: {
    name: 'a.csv',
    sha256: 'ab',
    kind: 'csv',
    columns: ['name', 'wallet'],
    column: 'wallet',
    delimiter: ';',
    bom: true,
  },
  policy: { name: 'p.json' },
  rules: [
    ...parseRules(['low: score < 500']),
    {
      ...{ source: '--policy', name: 'odd', level: 'watch', note: 'look' },
      when: {
        any: [{ all: parseRules(['a < 1', 'b > 2']).map(({ when }) => when) }, parseRules(['c exists'])[0]!.when],
      },
    },
  ],
  exceptions: [
    {
      wallet: address(1),
      id: address(1).toLowerCase(),
      rule: 'odd',
      reason: 'known',
      until: undefined,
      endsAt: undefined,
    },
    {
      ...{ wallet: address(2), id: address(2).toLowerCase(), rule: 'odd', reason: 'known' },
      ...{ until: '2026-10-20', endsAt: Date.parse('2026-10-21') },
    },
  ],
  ...{ accept: ['failed'], label: 'name', labelColumn: 'name', since: '7d', score: 'a.b' },
  ...{ baseUrl: URL, environment: 'default', version: '1.0.0', started: STARTED },
  base: {
    name: 'k.jsonl',
    started: STARTED - DAY_MS,
    is_oldest: true,
    score: undefined,
    rules: parseRules(['low: score < 1']),
  },
};
const END: ReviewEnd = {
  ...{ ended: STARTED + 1, rows: 3, distinct: 2, removed: 1, counts: { scored: 2, failed: 1 }, exitCode: 10 },
  sha256: 'ff',
};

it('reads the header and the end of a kept review as written, the times to the millisecond, in form 2', () => {
  expect(readHeader(headerLine(HEADER), 'k')).toEqual(HEADER);
  expect(readEnd(endLine(END), 'k')).toEqual(END);
  expect([headerLine(HEADER), endLine(END)].map((line) => line.split(',')[0])).toEqual([
    '{"riskcli_review":2',
    '{"riskcli_review_end":2',
  ]);
});

it('reads a line for each removed wallet, with its label, its earlier answer and its closed alarms', () => {
  const previous = {
    ...{ status: 'scored', answeredAt: '2026-10-05T06:03:12.000Z', warning: undefined, notJudged: undefined },
    ...{ score: numberNode(450), collateral: numberNode(7) },
  };
  const closed = [{ rule: 'low', level: 'alarm', opened: '2026-10-05', cause: 'list', value: '450' }] as const;
  for (const removed of [
    { wallet: address(1), label: 'Ann', previous, closed },
    { wallet: 'nothing', label: undefined, previous: null, closed: [] },
    { wallet: address(2), label: undefined, previous: undefined, closed: [] },
  ]) {
    const line = removedLine(removed);
    const node = parseDocument(line);
    expect([isMarkerLine(node, REMOVED_KEY), readRemovedLine(node)]).toEqual([true, removed]);
    expect(line).toContain(`{"riskcli_removed":1,"wallet_address":"${removed.wallet}"`);
  }
});

const rule = { source: '--policy', name: 'a' };
it.each<readonly [message: string, changed: Readonly<Record<string, unknown>>]>([
  ["'k' was written by an older version of riskcli", { riskcli_review: 1 }],
  ["'k' was written by a newer version of riskcli", { riskcli_review: 3 }],
  ["'k' has a first line that cannot be read: rules[0]", { rules: [null] }],
  ["'k' has a first line that cannot be read: rules[0].if", { rules: [{ ...rule, if: { all: [] } }] }],
  ["'k' has a first line that cannot be read: the condition '='", { rules: [{ ...rule, if: '=' }] }],
  ["'k' has a first line that cannot be read: started", { started: 'yesterday' }],
  ["'k' has a first line that cannot be read: list", { list: undefined }],
  ["'k' has a first line that cannot be read: base.started", { base: { name: 'b', started: 1, rules: [] } }],
  ["'k' has a first line that cannot be read: exceptions[0].reason", { exceptions: [{ wallet: 'a', rule: 'b' }] }],
])('refuses an invalid line of a kept review with the reason: %s', (message, changed) => {
  const line = JSON.stringify({ ...JSON.parse(headerLine(HEADER)), ...changed });
  expect(() => readHeader(line, "'k'")).toThrow(message);
});

it('refuses a kept review whose last line lacks a member', () => {
  for (const member of ['sha256', 'exit_code', 'rows', 'ended']) {
    const { [member]: _, ...rest } = JSON.parse(endLine(END));
    expect(() => readEnd(JSON.stringify(rest), 'k')).toThrow(`k has a last line that cannot be read: ${member}`);
  }
});

/**
 * A folder with a review of each of `days` before today, the newest first, and what is reported of
 * it.
 */
async function folderOf(...days: readonly number[]) {
  const folder = temporaryFolder();
  const reported: string[] = [];
  const report = { info: (text: string) => reported.push(text), warn: (text: string) => reported.push(text) };
  const context = { ...testHost(), report } as unknown as Context;
  for (const day of days) {
    const sink = createKeptSink(folder, { ...HEADER, started: STARTED - day * DAY_MS }, context);
    for (const number of [1, 2]) {
      const kept = { alarms: [], closed: [] };
      await sink.row({ line: number, input: address(number), wallet: address(number), status: 'failed', kept });
    }
    await sink.row({ wallet: address(3), label: 'Cem', previous: null, closed: [] });
    await sink.end({ ended: STARTED, distinct: 2, counts: { failed: 2 }, exitCode: 3 });
    await sink.close();
  }
  const path = (n: number) => keptFiles(folder)[n]!.path;
  const edit = (n: number, change: (text: string) => string) =>
    writeFileSync(path(n), change(readFileSync(path(n), 'utf8')));
  return { folder, context, reported, path, edit };
}

const inspect = async (change: (text: string) => string) => {
  const { folder, context, edit } = await folderOf(0);
  edit(0, change);
  const plain = await openKept(keptFiles(folder)[0]!, { context });
  try {
    const { end, change: found } = await inspectKept(plain);
    return end ? (found ?? 'unchanged') : 'torn';
  } finally {
    plain.close();
  }
};
const rowOf = (number: number) => new RegExp(`\n.*${address(number)}.*(?=\n)`);
it.each<readonly [found: string, title: string, change: (text: string) => string]>([
  ['unchanged', 'nothing', (text) => text],
  ['modified after it was saved', 'a value', (text) => text.replace('failed', 'scored')],
  ['modified after it was saved', 'a value of the header', (text) => text.replace('score < 500', 'score < 501')],
  ['modified after it was saved', 'a row twice', (text) => text.replace(rowOf(1), '$&$&')],
  ['modified after it was saved', 'a row for another', (text) => text.replace(address(1), address(9))],
  ['1 row was removed; the others are not verified', 'a row less', (text) => text.replace(rowOf(1), '')],
  ['1 row was removed; the others are not verified', 'a removed wallet less', (text) => text.replace(rowOf(3), '')],
  [
    '2 rows were removed; the others are not verified',
    'two rows less',
    (text) => text.replace(rowOf(1), '').replace(rowOf(3), ''),
  ],
  ['torn', 'no last line', (text) => text.replace(/\{"riskcli_review_end.*\n/, '')],
  ['torn', 'half of the last line', (text) => text.slice(0, -10)],
  ['torn', 'a row after the last line', (text) => `${text}{"wallet_address":"${address(1)}"}\n`],
  ['torn', 'nothing at all', () => ''],
])('finds a kept review %s by its hash: %s', async (found, _, change) => expect(await inspect(change)).toBe(found));

it('computes the hash over all lines before it', async () => {
  const { path } = await folderOf(0);
  const [, before = '', end = ''] = /^(.*\n)(.*\n)$/s.exec(readFileSync(path(0), 'utf8')) ?? [];
  expect(JSON.parse(end).sha256).toBe(createHash('sha256').update(before).digest('hex'));
});

const used = async (reviews: KeptReviews, files = reviews.files) =>
  (await reviews.firstUsable(files, async ({ file, isModified }) => `${file.name}${isModified ? ' modified' : ''}`)) ??
  'none';
const names = ['2026-10-05T060312Z.jsonl', '2026-10-04T060312Z.jsonl', '2026-10-03T060312Z.jsonl'];

it('uses the newest readable review, and names each skipped file once, whoever asks', async () => {
  const { folder, context, reported, edit } = await folderOf(0, 1, 2);
  edit(0, (text) => text.slice(0, -10));
  edit(1, (text) => text.replace('"riskcli_review":2', '"riskcli_review":1'));
  const reviews = new KeptReviews({ folder, context, baseUrl: URL });
  expect([await used(reviews), await used(reviews), await used(reviews, reviews.files.slice(1))]).toEqual([
    ...[names[2], names[2], names[2]],
  ]);
  reviews.reportForeign(true);
  reviews.close();
  expect(reported).toEqual([
    expect.stringMatching(`${names[0]}' is skipped: it is torn: its last line is missing$`),
    expect.stringMatching(`${names[1]}' is skipped: .* was written by an older version of riskcli$`),
  ]);
});

it('uses a review that was modified, with one note', async () => {
  const { folder, context, reported, edit } = await folderOf(0);
  edit(0, (text) => text.replace('failed', 'scored'));
  const reviews = new KeptReviews({ folder, context });
  expect([await used(reviews), await used(reviews)]).toEqual([`${names[0]} modified`, `${names[0]} modified`]);
  reviews.close();
  expect(reported).toEqual([expect.stringMatching(/': modified after it was saved$/)]);
});

it('uses a review of the same base URL, and names the others once in one line', async () => {
  const { folder, context, reported, edit } = await folderOf(0, 1, 2);
  for (const n of [0, 1]) edit(n, (text) => text.replaceAll(URL, 'https://other.example'));
  const reviews = new KeptReviews({ folder, context, baseUrl: URL });
  expect([await used(reviews), await used(reviews)]).toEqual([names[2], names[2]]);
  reviews.reportForeign(true);
  reviews.close();
  expect(reported).toEqual([`2 kept reviews in '${folder}' skipped: from another base URL (https://other.example)`]);
  const all = new KeptReviews({ folder, context });
  expect(await used(all)).toMatch(`${names[0]}`);
  all.close();
});

it('skips a review that other users can write, unless all reviews are read, and prints a note', async () => {
  const { folder, context, reported, path } = await folderOf(0, 1);
  chmodSync(path(0), 0o666);
  const reviews = new KeptReviews({ folder, context });
  expect(await used(reviews)).toBe(names[1]);
  reviews.close();
  const all = new KeptReviews({ folder, context, trustsAll: true });
  expect(await used(all)).toBe(names[0]);
  all.close();
  expect(reported).toEqual([
    expect.stringMatching(`${basename(path(0))}' is skipped: other users can write to it$`),
    expect.stringMatching(`${basename(path(0))}': other users can write to it$`),
  ]);
});
