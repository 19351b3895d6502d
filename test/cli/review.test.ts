/** Monday's question, week after week: whatever a night ends with, the next review works. */
import { describe, expect, it } from 'vitest';
import type { RunOptions } from '../fixtures/cli/here.ts';
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
    /** What the service answers instead from now on; `count` is that of requests since. */
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
  it('tells eight weeks, whatever a night ends with', async () => {
    await using world = await stage([700, 480, 650, null]);
    const { told, say, later, answer, list } = world;
    const quiet = { news: false, newly: [], changed: [], levels: [], added: [], left: [] };
    // The first one has nothing to compare with.
    expect(await told(...LOW)).toEqual({
      ...{ exitCode: 10, compared: null, asked: 4, news: true },
      ...{ matched: ['Customer 2'], newly: ['Customer 2'], changed: [], levels: [], added: [], left: [] },
      unjudged: [['Customer 4', 'no score']],
    });
    // A second one on the same day asks nothing and says the same.
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
    // A day later it goes on; what was paid for is not asked again, and the second week is still what it is compared with.
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
    // The sixth: one has left, and one is new.
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
    // Once more on that day the same is told; a week later it is known.
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
});
