/** Monday's question, week after week: whatever a night ends with, the next review works. */
import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { SignalError } from '../../src/errors.ts';
import { cli, type RunOptions } from '../fixtures/cli/here.ts';
import { address } from '../fixtures/place/wallets.ts';
import { workplace } from '../fixtures/place/workplace.ts';
import { KEY } from '../fixtures/service/client.ts';
import { type Reply, startServer } from '../fixtures/service/server.ts';

const DAY = 86_400_000;
const MONDAY = Date.parse('2026-09-28T06:00:00Z');

/** What the service says of a wallet: a score, an answer without one, or a refusal. */
type Said = number | null | { readonly status: number };

/** A folder with a list of customers, a service that says what a test likes, and a clock. */
async function stage(scores: readonly Said[]) {
  const said = new Map(scores.map((score, i) => [address(i + 1), score]));
  let reply: ((count: number) => Reply | undefined) | undefined;
  let sinceReply = 0;
  const server = await startServer(({ path }) => {
    sinceReply += 1;
    const wallet = path.slice(path.lastIndexOf('/') + 1);
    const now = said.get(wallet);
    const special = reply?.(sinceReply);
    if (special) return special;
    if (typeof now === 'object' && now) return { status: now.status, body: { error: 'no' } };
    const level = now === null ? null : (now ?? 600) < 500 ? 'High Risk' : 'Low Risk';
    const body = {
      wallet_address: wallet,
      total_collateral_usd: 10.005,
      defi_score: { score: now ?? null, risk_level: level },
    };
    return { body };
  });
  const place = workplace({ RISKCLI_BASE_URL: server.url.href, RISKCLI_API_KEY: KEY });
  let now = MONDAY;
  const list = (numbers: readonly number[]) =>
    place.write('holders.csv', `name,wallet\n${numbers.map((n) => `Customer ${n},${address(n)}\n`).join('')}`);
  list(scores.map((_, i) => i + 1));
  const review = (...args: (string | RunOptions)[]) => {
    const words = args.filter((arg) => typeof arg === 'string');
    const options = args.find((arg): arg is RunOptions => typeof arg === 'object');
    return place.cli(['review', ...(words[0]?.startsWith('-') === false ? words : ['holders.csv', ...words])], {
      now: () => now,
      sleep: () => Promise.resolve(),
      ...options,
    });
  };
  const told = async (...args: (string | RunOptions)[]) => {
    const { stdout, exitCode } = await review(...args, '--json');
    return { exitCode, ...(stdout === '' ? {} : summary(JSON.parse(stdout) as Document)) };
  };
  return {
    place,
    server,
    review,
    told,
    list,
    say: (number: number, score: Said) => void said.set(address(number), score),
    /** Replaces the answers of the service; `count` is the number of requests since. */
    answer(other: typeof reply) {
      reply = other;
      sinceReply = 0;
    },
    later: (ms: number) => {
      now += ms;
    },
    get requests() {
      return server.requests.length;
    },
    [Symbol.asyncDispose]: () => server.close(),
  };
}

interface Told {
  readonly label: string;
  readonly score: number | null;
  readonly score_before: number | null;
  readonly newly_matched: readonly string[];
  readonly not_judged: string | null;
}
interface Section {
  readonly rows: readonly Told[];
}
interface Document extends Record<'to_look_at' | 'changed_most' | 'new' | 'no_longer_listed' | 'not_judged', Section> {
  readonly compared_with: string | null;
  readonly asked: number;
  readonly news: boolean;
  readonly levels: readonly (Section & { readonly old: string; readonly new: string })[];
}

const names = ({ rows }: Section) => rows.map(({ label }) => label);

/** What matters of a review, in few words. */
const summary = (found: Document) => ({
  compared: found.compared_with?.slice(0, 10) ?? null,
  asked: found.asked,
  news: found.news,
  matched: names(found.to_look_at),
  newly: names({ rows: found.to_look_at.rows.filter((row) => row.newly_matched.length > 0) }),
  changed: found.changed_most.rows.map((row) => [row.label, row.score_before, row.score]),
  levels: found.levels.map((one) => [one.old, one.new, names(one)]),
  added: names(found.new),
  left: names(found.no_longer_listed),
  unjudged: found.not_judged.rows.map(({ label, not_judged: why }) => [label, why]),
});

const LOW = ['--fail-if', 'low: score < 500'];

describe('riskcli review', () => {
  it('reviews eight weeks, however each night ends', async () => {
    await using world = await stage([700, 480, 650, null]);
    const { told, say, later, answer, list } = world;
    const quiet = { news: false, newly: [], changed: [], levels: [], added: [], left: [] };
    // The first review has nothing to compare with.
    expect(await told(...LOW)).toEqual({
      ...{ exitCode: 10, compared: null, asked: 4, news: true },
      ...{ matched: ['Customer 2'], newly: ['Customer 2'], changed: [], levels: [], added: [], left: [] },
      unjudged: [['Customer 4', 'no score']],
    });
    // A second review on the same day requests nothing and prints the same.
    later(DAY / 2);
    expect(await told(...LOW)).toMatchObject({ exitCode: 10, compared: null, asked: 0, matched: ['Customer 2'] });
    // The second week: a score falls below the limit, another one rises, and a wallet is refused.
    later(6.5 * DAY);
    say(1, 450.5);
    say(2, 490);
    say(3, { status: 404 });
    expect(await told(...LOW)).toEqual({
      ...{ exitCode: 10, compared: '2026-09-28', asked: 4, news: true },
      ...{ matched: ['Customer 1', 'Customer 2'], newly: ['Customer 1'] },
      changed: [
        ['Customer 1', 700, 450.5],
        ['Customer 2', 480, 490],
      ],
      levels: [['Low Risk', 'High Risk', ['Customer 1']]],
      ...{ added: [], left: [] },
      unjudged: [
        ['Customer 3', 'refused (404)'],
        ['Customer 4', 'no score'],
      ],
    });
    // The third: the key is rejected. Nothing is printed.
    later(7 * DAY);
    answer(() => ({ status: 401 }));
    expect(await told(...LOW)).toEqual({ exitCode: 4 });
    // The fourth: the limit is spent after two answers.
    later(7 * DAY);
    answer(() => undefined);
    expect(await told(...LOW, '--max-requests', '2')).toEqual({ exitCode: 7 });
    // A day later it resumes; paid answers are not requested again, and it still compares with the second week.
    later(DAY / 2);
    say(3, 640);
    expect(await told(...LOW)).toEqual({
      ...{ exitCode: 10, compared: '2026-10-05', asked: 2, matched: ['Customer 1', 'Customer 2'] },
      ...quiet,
      ...{ news: true, changed: [['Customer 3', 650, 640]], levels: [['no score', 'scored', ['Customer 3']]] },
      unjudged: [['Customer 4', 'no score']],
    });
    // The fifth: the service is down for one of them.
    later(6.5 * DAY);
    say(2, { status: 503 });
    expect(await told(...LOW)).toEqual({ exitCode: 5 });
    // The sixth: one wallet is gone, and one is new.
    later(7 * DAY);
    say(2, 490);
    say(5, 470);
    list([1, 3, 4, 5]);
    expect(await told(...LOW)).toEqual({
      ...{ exitCode: 10, compared: '2026-10-19', asked: 4, matched: ['Customer 1', 'Customer 5'] },
      ...quiet,
      ...{ news: true, newly: ['Customer 5'], added: ['Customer 5'], left: ['Customer 2'] },
      unjudged: [['Customer 4', 'no score']],
    });
    // On the same day it is reported again; a week later it is known.
    later(DAY / 2);
    expect(await told(...LOW)).toMatchObject({ added: ['Customer 5'], left: ['Customer 2'], asked: 0 });
    later(6.5 * DAY);
    expect(await told(...LOW)).toMatchObject({ ...quiet, compared: '2026-11-02', asked: 4 });
    // The eighth: an answer without a score is no baseline for the next one.
    later(7 * DAY);
    say(1, null);
    expect(await told(...LOW)).toMatchObject({ ...quiet, news: true, matched: ['Customer 5'] });
    later(7 * DAY);
    say(1, 440.5);
    const { stdout } = await world.review(...LOW, '--json');
    const [first] = JSON.parse(stdout).changed_most.rows;
    expect(first).toMatchObject({ label: 'Customer 1', score_before: 450.5, change: -10 });
    expect(first.answered_before.slice(0, 10)).toBe('2026-11-09');
  });

  it('writes a letter, 100 columns wide by default', async () => {
    await using world = await stage([700, 480, 650, null, 720, 610]);
    const { review, say, later, list } = world;
    const first = await review(...LOW);
    expect(
      first.stdout,
    ).toBe(`holders.csv: 6 wallets, 5 scored, 1 without a score; all asked; the first review of this list

TO LOOK AT  1            SCORE  COLLATERAL
Customer 2  0x000…00002    480      $10.01  low

COULD NOT BE JUDGED  1
  1 no score: Customer 4
`);
    later(7 * DAY);
    say(1, 450.5);
    say(3, { status: 404 });
    say(5, 721);
    say(7, 300);
    list([1, 2, 3, 4, 5, 7]);
    const { stdout, stderr, exitCode } = await review(...LOW);
    expect(stdout).toBe(`holders.csv: 6 wallets, 4 scored, 1 without a score, 1 refused; all asked;
compared with 28 September

TO LOOK AT  3, 2 of them new  SCORE  CHANGE  COLLATERAL
Customer 7  0x000…00007         300     new      $10.01  low
Customer 1  0x000…00001       450.5  -249.5      $10.01  low (new); Low Risk -> High Risk
Customer 2  0x000…00002         480              $10.01  low

CHANGED  2                      SCORE  CHANGE  COLLATERAL
Customer 1  0x000…00001  700 -> 450.5  -249.5      $10.01  Low Risk -> High Risk
Customer 5  0x000…00005    720 -> 721      +1      $10.01

FROM ONE LEVEL TO ANOTHER  1
Low Risk -> High Risk    1  Customer 1

NEW  1  Customer 7

NO LONGER LISTED  1  Customer 6

COULD NOT BE JUDGED  2, 1 of them new
  1 refused (404): Customer 3
  1 no score: Customer 4
`);
    expect(exitCode).toBe(10);
    expect(stderr).toMatch(
      /^riskcli: --fail-if 'low' matched 3 rows, the first in line 2; 2 more rows could not be judged .*\n$/,
    );
  });

  it('prints one line if there is nothing to report', async () => {
    await using world = await stage([700, 600]);
    await world.review(...LOW);
    world.later(DAY);
    const { stdout, stderr, exitCode } = await world.review(...LOW);
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
    expect(stdout).toBe(
      'holders.csv: 2 wallets, all scored; all asked; nothing to look at, nothing changed since 28 September\n',
    );
    const onTerminal = await world.review(...LOW, { tty: { stdout: true }, columns: 60 });
    expect(onTerminal.stdout.split('\n').filter((line) => line.length > 60)).toEqual([]);
    expect(onTerminal.stdout.replaceAll('\n', ' ')).toMatch(
      /; nothing to look at, nothing changed since 28 September $/,
    );
  });

  it('with --only-news prints nothing without news, except as JSON; the exit code stays', async () => {
    await using world = await stage([700, 480, null]);
    const { review, later, say } = world;
    expect(await review(...LOW, '--only-news')).toMatchObject({ exitCode: 10, stdout: expect.stringContaining('480') });
    later(7 * DAY);
    expect(await review(...LOW, '--only-news')).toEqual({ exitCode: 10, stdout: '', stderr: '' });
    later(7 * DAY);
    const json = await review(...LOW, '--only-news', '--json');
    expect([JSON.parse(json.stdout).news, json.exitCode]).toEqual([false, 10]);
    later(7 * DAY);
    say(1, 699.5);
    expect(await review(...LOW, '--only-news', '--min-change', '0.6')).toMatchObject({ stdout: '', exitCode: 10 });
    later(7 * DAY);
    say(1, 698.5);
    expect((await review(...LOW, '--only-news', '--min-change', '1')).stdout).toContain('699.5 -> 698.5');
    later(7 * DAY);
    // With other rules every match is new.
    expect((await review('--fail-if', 'low: score < 490', '--only-news')).stdout).toContain('low (new)');
    later(7 * DAY);
    say(2, null);
    expect((await review(...LOW, '--only-news')).stdout).toContain('COULD NOT BE JUDGED  2, 1 of them new');
  });

  it('treats an expired exception as a new match', async () => {
    await using world = await stage([480]);
    const { place, review, later } = world;
    const exceptions = [{ wallet: address(1), rule: 'low', reason: 'paid back', until: '2026-10-05' }];
    place.write('policy.json', JSON.stringify({ rules: [{ name: 'low', if: 'score < 500' }], exceptions }));
    const judged = ['--policy', place.path('policy.json'), '--only-news'];
    expect(await review(...judged)).toMatchObject({ exitCode: 0, stdout: '' });
    later(7 * DAY);
    expect(await review(...judged)).toMatchObject({ exitCode: 0, stdout: '' });
    later(7 * DAY);
    expect(await review(...judged)).toMatchObject({ exitCode: 10, stdout: expect.stringContaining('low (new)') });
  });

  it('compares with --since, and says so if nothing is known from then', async () => {
    await using world = await stage([700]);
    const { told, review, later, say } = world;
    const nothing = await review('--since', '7d');
    expect(nothing).toMatchObject({ exitCode: 0, stderr: '' });
    expect(nothing.stdout).toContain('nothing is known from 21 September or before to compare with');
    later(7 * DAY);
    say(1, 650);
    await told();
    later(7 * DAY);
    say(1, 640);
    expect(await told('--since', '2026-09-28')).toMatchObject({ changed: [['Customer 1', 700, 640]] });
    // The baseline itself is unchanged.
    expect(await told()).toMatchObject({ compared: '2026-10-05', changed: [['Customer 1', 650, 640]] });
  });

  it('shares a journal with other lists and with profile, without mixing up their wallets', async () => {
    await using world = await stage([700, 600, 500]);
    const { place, told, later, say } = world;
    const shared = ['--journal', place.path('all.journal')];
    place.write('a.csv', `name,wallet\nAnn,${address(1)}\n`);
    place.write('b.csv', `name,wallet\nBen,${address(2)}\n`);
    await place.cli(['profile', address(3), address(1), '--csv', ...shared], { now: () => MONDAY });
    expect(place.read('all.journal')).toMatch(/^\{"riskcli_journal":1,/);
    expect(await told('a.csv', ...shared)).toMatchObject({ asked: 0, compared: null });
    expect(place.read('all.journal')).toMatch(/^\{"riskcli_journal":2,.*"stays":true\}\n/);
    later(3 * DAY);
    expect(await told('b.csv', ...shared)).toMatchObject({ compared: null, added: [], left: [] });
    later(4 * DAY);
    say(1, 710);
    say(2, 610);
    place.write('a.csv', `name,wallet\nAnn,${address(1)}\nCarl,${address(3)}\n`);
    expect(await told('a.csv', ...shared)).toMatchObject({
      compared: '2026-09-28',
      changed: [['Ann', 700, 710]],
      added: ['Carl'],
      left: [],
    });
    expect(await told('b.csv', ...shared)).toMatchObject({ compared: '2026-10-01', changed: [['Ben', 600, 610]] });
  });

  it('keeps its journal after writing an output', async () => {
    await using world = await stage([700]);
    const { place, review, server } = world;
    await review();
    const before = place.read('holders.csv.journal');
    for (const more of [[], ['--dry-run']]) {
      const { exitCode, stderr } = await place.cli([
        'profile',
        address(2),
        address(3),
        '-o',
        'holders.csv',
        '--csv',
        ...more,
      ]);
      expect({ exitCode, stderr }).toEqual({
        exitCode: 2,
        stderr: expect.stringMatching(/^riskcli: the journal 'holders.csv.journal' is kept for good by riskcli review/),
      });
    }
    expect(server.requests).toHaveLength(1);
    expect(place.read('holders.csv.journal')).toBe(before);
  });

  it('writes the rows and a page, which stay as they were after a bad night', async () => {
    await using world = await stage([700, 480]);
    const { place, review, later, say, answer } = world;
    const out = ['-o', place.path('scored.csv'), '-o', place.path('monday.html'), '-o', place.path('monday.md')];
    const files = () => ['scored.csv', 'monday.html', 'monday.md'].map((name) => place.read(name));
    await review(...LOW, ...out);
    const before = files();
    expect(before[0]).toMatch(/^name,wallet,wallet_address,status,.*\nCustomer 1,/);
    later(7 * DAY);
    say(1, 650);
    answer((count) => (count === 2 ? { status: 401 } : undefined));
    expect(await review(...LOW, ...out, '--concurrency', '1')).toMatchObject({ exitCode: 4, stdout: '' });
    expect(files()).toEqual(before);
    answer(() => undefined);
    const { exitCode } = await review(...LOW, ...out);
    expect(exitCode).toBe(10);
    expect(place.read('monday.md')).toContain('1 changed');
    expect(place.read('monday.html')).not.toBe(before[1]);
    expect(await review('-o', '-')).toMatchObject({ exitCode: 2, stdout: '' });
    const unnamed = await review('-o', place.path('scored.txt'));
    expect(unnamed).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('; end it in .json, .jsonl, .csv, .html, .md'),
    });
  });

  it('prints nothing when a signal stops it, and resumes the next time', async () => {
    await using world = await stage([700, 480]);
    const { review, told, later, answer, say } = world;
    await told(...LOW);
    later(7 * DAY);
    say(1, 640);
    const stop = new AbortController();
    answer((count) => {
      if (count === 1) stop.abort(new SignalError('SIGTERM'));
      return undefined;
    });
    expect(await review(...LOW, '--concurrency', '1', { signal: stop.signal })).toMatchObject({
      exitCode: 143,
      stdout: '',
    });
    answer(() => undefined);
    later(DAY / 2);
    expect(await told(...LOW)).toMatchObject({ compared: '2026-09-28', changed: [['Customer 1', 700, 640]] });
  });

  it('counts as the first one, and says so, if its memory is damaged', async () => {
    await using world = await stage([700]);
    const { place, told, review, later, say } = world;
    await told();
    const [memory = ''] = readdirSync(place.folder).filter((name) => name.includes('.review-'));
    place.write(memory, place.read(memory).replace('Customer', 'Cussomer'));
    later(7 * DAY);
    const damaged = await review();
    expect(damaged.stderr).toMatch(/remembers of earlier reviews is damaged: this one counts as the first\n$/);
    expect(damaged.stdout).toContain('the first review of this list');
    later(7 * DAY);
    say(1, 640);
    expect(await told()).toMatchObject({ compared: '2026-10-05', changed: [['Customer 1', 700, 640]] });
  });

  it('reports what a prune removed from the answers it compares with', async () => {
    await using world = await stage([700, 600]);
    const { place, review, later } = world;
    await review();
    later(7 * DAY);
    await review('--since', '30d');
    await place.cli(['journal', 'prune', 'holders.csv.journal', '--keep', '1']);
    later(7 * DAY);
    expect((await review()).stderr).toBe('');
    const { stderr, exitCode } = await review('--since', '2026-09-28');
    expect(exitCode).toBe(0);
    expect(stderr).toBe('');
    await place.cli(['profile', address(1), address(3), '--csv', '--journal', 'holders.csv.journal'], { now: () => 0 });
    expect((await review('--since', '2026-09-28')).stderr).toMatch(
      /^riskcli: the journal 'holders.csv.journal' was pruned: 2 wallets that have only newer answers than 2026-09-28/,
    );
  });

  it('forgets a wallet that is erased from its journal', async () => {
    await using world = await stage([700, 600]);
    const { place, told, list, later } = world;
    await told();
    await place.cli(['journal', 'erase', 'holders.csv.journal', address(2)]);
    const kept = readdirSync(place.folder).filter((name) => name.startsWith('holders.csv.journal'));
    for (const name of kept) expect(place.read(name)).not.toContain(address(2));
    for (const name of kept) expect(place.read(name)).not.toContain('Customer 2');
    list([1]);
    later(7 * DAY);
    expect(await told()).toMatchObject({ compared: '2026-09-28', left: [], added: [] });
  });

  it('counts a wallet once, however many rows it has, and reads a list from standard input', async () => {
    await using world = await stage([700, 600]);
    const { place } = world;
    const stdin = `name,wallet\nAnn,${address(1)}\nAnn again,${address(1)}\nNobody,nothing\n`;
    const { stdout, exitCode } = await place.cli(['review', '-', '--journal', 'j', '--fail-if', 'score > 1'], {
      stdin,
    });
    expect(exitCode).toBe(10);
    expect(stdout).toContain('standard input: 3 rows, 1 wallet, 2 scored, 1 not a wallet; all asked;');
    expect(stdout.match(/^Ann/gm)).toEqual(['Ann']);
    expect(stdout).toContain('1 not a wallet: Nobody');
    expect(await place.cli(['review', '-'], { stdin })).toMatchObject({ exitCode: 2, stdout: '' });
  });

  it('reports requests and the comparison even if no row is a wallet, and again on a rerun on the first day', async () => {
    await using world = await stage([480]);
    const head = async () => (await world.review()).stdout.split('\n', 1)[0];
    expect(await head()).toMatch(/; all asked; the first review of this list; nothing to look at$/);
    expect(await head()).toMatch(/; none asked, all from the journal; no earlier review to compare with;/);
    world.place.write('bad.csv', 'name,wallet\nAnn,none\n');
    const { stdout } = await world.review('bad.csv');
    expect(stdout).toMatch(/^bad\.csv: 1 row, 0 wallets, 1 not a wallet; none asked; the first review of this list\n/);
  });

  it('names the files that it wrote below the letter, on a terminal', async () => {
    await using world = await stage([480, 600]);
    const onTerminal = { tty: { stdout: true, stderr: true }, columns: 80, env: { NO_COLOR: '1' } };
    const { screen } = await world.review(...LOW, '-o', 'rows.csv', '-o', 'monday.html', onTerminal);
    expect(screen).toMatch(/TO LOOK AT.*\nnote: wrote rows\.csv \(2 rows\)\nnote: wrote monday\.html\n/s);
  });

  it.each([
    ['json', 'use --json, or name a file: -o FILE.json'],
    ['csv', 'name a file: -o FILE.csv'],
    ['html', 'name a file: -o FILE.html'],
  ])('says what works in place of -o %s', async (name, hint) => {
    const { stderr, exitCode } = await cli(['review', 'list.csv', '-o', name]);
    expect(stderr).toBe(`riskcli: -o ${name} would write a file with the name of a format; ${hint}\n`);
    expect(exitCode).toBe(2);
  });

  it.each([45, 55])('cuts a long label once in %i columns, and leaves the wallet its ends', async (columns) => {
    await using world = await stage([480, 490]);
    const name = 'A customer with a rather long name';
    world.place.write('holders.csv', `name,wallet\n${name} 1,${address(1)}\n${name} 2,${address(2)}\n`);
    const { stdout } = await world.review(...LOW, { tty: { stdout: true }, columns, env: { NO_COLOR: '1' } });
    const rows = stdout.split('\n').filter((line) => line.startsWith('A customer'));
    expect(rows.length).toBe(2);
    for (const row of rows) expect(row).toMatch(/^A customer[^…]*… {2,}0x\w{3}…\w{5} {2,}4/);
  });

  it.each([
    ['whole where the reasons leave room', 'low', /^A long-term pension fund of the town of Ems, 1 {2}0x000…00001 {2}/],
    [
      'short where they do not',
      'below the limit of the committee for risk',
      /^A long-term pension fund of… {2}0x000…00001 {2}/,
    ],
  ])('shows labels %s', async (_, rule, row) => {
    await using world = await stage([480, 490]);
    const name = 'A long-term pension fund of the town of Ems,';
    world.place.write('holders.csv', `name,wallet\n${[1, 2].map((n) => `"${name} ${n}",${address(n)}\n`).join('')}`);
    const { stdout } = await world.review('--fail-if', `${rule}: score < 485`);
    const lines = stdout.split('\n');
    expect(lines.find((line) => line.startsWith('A long'))).toMatch(row);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(100);
  });

  it('names new wallets in full if they fit on one line', async () => {
    await using world = await stage([480, 600]);
    world.list([1]);
    await world.review();
    world.later(7 * DAY);
    const name = 'A long-term pension fund of the town of Ems';
    world.place.write('holders.csv', `name,wallet\nCustomer 1,${address(1)}\n${name},${address(2)}\n`);
    expect((await world.review()).stdout).toContain(`\nNEW  1  ${name}\n`);
  });
});
