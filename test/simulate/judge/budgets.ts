/**
 * Requests never exceed --max-requests, the month, --rate and --concurrency, nor come before a wait
 * is over.
 */
import type { RunRecord, SentRequest, Violation } from '../history.ts';
import { type Case, endOf, flagOf } from './case.ts';

export function* judgeBudgets(history: Case): Generator<Violation> {
  for (const run of history.runs) {
    const sent = history.sent(run);
    const most = flagOf(run, '--max-requests');
    if (most !== undefined && sent.length > Number(most))
      yield { rule: '--max-requests is exceeded', detail: `run ${run.name}: ${sent.length}` };
    yield* judgeRate(run, sent);
    yield* judgeConcurrency(run, sent);
    yield* judgeWaits(run, sent);
    yield* judgeRefused(history, run, sent);
  }
  yield* judgeMonth(history);
}

/** One more may fall into a second that begins in the middle of another. */
function* judgeRate(run: RunRecord, sent: readonly SentRequest[]): Generator<Violation> {
  const rate = Number(flagOf(run, '--rate') ?? Number.NaN);
  for (const [i, { sentAt }] of sent.entries()) {
    const next = sent[i + rate + 1];
    if (next && next.sentAt - sentAt < 950)
      return yield { rule: '--rate is exceeded', detail: `run ${run.name}: ${rate + 2} requests in a second` };
  }
}

function* judgeConcurrency(run: RunRecord, sent: readonly SentRequest[]): Generator<Violation> {
  const most = Number(flagOf(run, '--concurrency') ?? Number.POSITIVE_INFINITY);
  if (sent.length <= most) return;
  const endsAt = ({ deliveredAt, abandonedAt, sentAt }: SentRequest) =>
    Math.min(deliveredAt ?? abandonedAt ?? sentAt, endOf(run));
  for (const { sentAt } of sent) {
    const open = sent.filter(
      (one) => one.arrivedAt !== undefined && one.sentAt <= sentAt && endsAt(one) > sentAt,
    ).length;
    if (open > most) return yield { rule: '--concurrency is exceeded', detail: `run ${run.name}: ${open}` };
  }
}

function* judgeWaits(run: RunRecord, sent: readonly SentRequest[]): Generator<Violation> {
  for (const { wallet, status, body, deliveredAt } of sent) {
    if (status !== 429 || deliveredAt === undefined) continue;
    const until = deliveredAt + 1_000 * waitIn(body) - 1;
    const early = sent.find((next) => next.wallet === wallet && next.sentAt > deliveredAt && next.sentAt < until);
    if (early)
      return yield {
        rule: 'a wait that was named is not kept',
        detail: `run ${run.name}: ${until - early.sentAt} ms too early`,
      };
  }
}

/** Seconds: at least one, whatever is named. */
function waitIn(body = ''): number {
  const [, named] = /"retry_after":(\d+)/.exec(body) ?? [];
  return Math.max(1, Number(named ?? 0));
}

/**
 * Refusals of requests that left when the first answer was there. A list of some dozens sees little
 * more than how it begins, so a few are for that. The share is the bench's for several runs on one
 * key (test/bench/pacing/figures.ts).
 */
const REFUSED_AT_FIRST = 10;
const SHARE_REFUSED = 0.075;

function* judgeRefused({ limit, quota }: Case, run: RunRecord, sent: readonly SentRequest[]): Generator<Violation> {
  // A spent quota has the same status.
  if (quota !== undefined) return;
  const firstAt = Math.min(...sent.map(({ deliveredAt = Number.POSITIVE_INFINITY }) => deliveredAt));
  const refused = sent.filter(({ status, sentAt }) => status === 429 && sentAt > firstAt).length;
  if (refused <= REFUSED_AT_FIRST + SHARE_REFUSED * sent.length) return;
  yield {
    rule: 'the limit is exceeded again and again',
    detail: `run ${run.name}: ${refused} of ${sent.length} requests, ${limit.kind}, headers ${limit.headers}`,
  };
}

/**
 * The month is that of the machine's clock. What could not be counted, or was lost with the power,
 * nobody can count.
 */
function* judgeMonth({ runs, requests, during, has, wall }: Case): Generator<Violation> {
  if (has(/^failing call|^disk nearly full$/)) return;
  const months = new Map<string, number>();
  // A run that is halted between reading the count and adding to it may send one more, or count it
  // in the month before.
  const over = runs.filter(({ haltedMs }) => haltedMs > 0).length;
  const first = requests[0]?.sentAt ?? 0;
  for (const { run, sentAt } of [...requests].sort((a, b) => a.sentAt - b.sentAt)) {
    if (during(/^power cut$/, first, sentAt).length > 0) return;
    const env = runs.find(({ name }) => name === run)?.env ?? {};
    // Each service and each state folder has a count of its own.
    const own = [env.RISKCLI_BASE_URL, env.XDG_STATE_HOME].join(' ');
    const month = `${new Date(wall(sentAt)).toISOString().slice(0, 7)} ${own}`;
    const count = (months.get(month) ?? 0) + 1;
    months.set(month, count);
    const allowed = env.RISKCLI_MONTHLY_REQUESTS;
    if (allowed !== undefined && count > Number(allowed) + over)
      return yield { rule: "the month's requests are exceeded", detail: `run ${run}: ${count}` };
  }
}
