/** Requests never exceed --max-requests, the month, --rate and --concurrency, nor come before a wait is over. */
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
    yield* judgeRefused(run, sent);
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

/** The first burst at a service that is not known, the bench's share of refusals behind it (test/bench/pacing), and room. */
const MAX_REFUSED = 60;
const SHARE_REFUSED = 0.5;

function* judgeRefused(run: RunRecord, sent: readonly SentRequest[]): Generator<Violation> {
  const refused = sent.filter(({ status }) => status === 429).length;
  if (refused > MAX_REFUSED + SHARE_REFUSED * (sent.length - refused)) {
    yield {
      rule: 'the limit is exceeded again and again',
      detail: `run ${run.name}: ${refused} of ${sent.length} requests`,
    };
  }
}

/** The month is that of the machine's clock. What could not be counted, or was lost with the power, nobody can count. */
function* judgeMonth({ runs, requests, incidents, clock, during, has }: Case): Generator<Violation> {
  if (has(/^failing call|^disk nearly full$/)) return;
  const stepped = (at: number) =>
    incidents
      .filter((incident) => /^clock/.test(incident.kind) && incident.at <= at)
      .reduce((sum, { detail = '' }) => sum + Number.parseInt(detail, 10), clock);
  const months = new Map<string, number>();
  const first = requests[0]?.sentAt ?? 0;
  for (const { run, sentAt } of [...requests].sort((a, b) => a.sentAt - b.sentAt)) {
    if (during(/^power cut$/, first, sentAt).length > 0) return;
    const month = new Date(sentAt + stepped(sentAt)).toISOString().slice(0, 7);
    const count = (months.get(month) ?? 0) + 1;
    months.set(month, count);
    const allowed = runs.find(({ name }) => name === run)?.env.RISKCLI_MONTHLY_REQUESTS;
    if (allowed !== undefined && count > Number(allowed))
      return yield { rule: "the month's requests are exceeded", detail: `run ${run}: ${count}` };
  }
}
