/** Nothing that was paid is asked again; two runs do not ask with one journal at once. */
import type { RunRecord, SentRequest, Violation } from '../history.ts';
import {
  type Case,
  endOf,
  flagOf,
  hasFinished,
  hasOwnJournal,
  isAnswer,
  isList,
  isRefusal,
  isReview,
  maxAgeOf,
  patienceOf,
  walletsOf,
  wasCutShort,
} from './case.ts';

export function* judgeLedger(history: Case): Generator<Violation> {
  const runs = history.runs.filter(isList);
  for (const run of runs) {
    yield* judgeWithin(history, run);
    yield* judgeTwice(history, run);
  }
  for (const [i, later] of runs.entries()) {
    for (const earlier of runs.slice(0, i)) {
      if (earlier.journal === undefined || earlier.journal !== later.journal) continue;
      yield* judgeBetween(history, { earlier, later });
      yield* judgeAtOnce(history, { earlier, later });
    }
  }
}

/** A run asks no wallet again that it has got an answer for, or that was refused for good. */
function* judgeWithin({ sent }: Case, run: RunRecord): Generator<Violation> {
  const settled = new Map<string, number>();
  for (const { wallet, sentAt } of sent(run).filter((request) => isAnswer(request) || isRefusal(request))) {
    const { deliveredAt = 0 } = sent(run).find((one) => one.wallet === wallet && one.sentAt === sentAt) ?? {};
    settled.set(wallet, Math.min(settled.get(wallet) ?? Number.POSITIVE_INFINITY, deliveredAt));
  }
  for (const { wallet, sentAt } of sent(run)) {
    if (sentAt <= (settled.get(wallet) ?? Number.POSITIVE_INFINITY)) continue;
    yield { rule: 'a run asks again what it was answered', detail: `run ${run.name}, ${wallet}` };
  }
}

/** Duplicates wait for the answer of the first. */
function* judgeTwice({ sent }: Case, run: RunRecord): Generator<Violation> {
  const last = new Map<string, SentRequest>();
  for (const request of sent(run)) {
    const { deliveredAt, abandonedAt } = last.get(request.wallet) ?? {};
    last.set(request.wallet, request);
    const until = deliveredAt ?? abandonedAt;
    if (until === undefined || request.sentAt >= until) continue;
    yield { rule: 'a run asks one wallet twice at once', detail: `run ${run.name}, ${request.wallet}` };
  }
}

interface Pair {
  /** Started first. */
  readonly earlier: RunRecord;
  readonly later: RunRecord;
}

function* judgeBetween(history: Case, pair: Pair): Generator<Violation> {
  const { earlier, later } = pair;
  const asked = new Map(history.sent(later).map((request) => [request.wallet, request]));
  const lost: string[] = [];
  for (const answer of history.sent(earlier)) {
    const again = asked.get(answer.wallet);
    if (!again || !isKept(history, pair, answer) || isExcused(history, pair, { answer, again })) continue;
    lost.push(answer.wallet);
  }
  // A full disk may have lost answers.
  if (lost.length === 0 || (!hasFinished(earlier) && history.has(/^disk nearly full$/))) return;
  yield {
    rule: 'a wallet is asked again that was answered',
    detail: `answered to run ${earlier.name}, asked by run ${later.name}: ${lost.join(' ')}`,
  };
}

/** A refusal is not reused from a journal that --journal names. */
function isKept({ sent }: Case, { earlier, later }: Pair, said: SentRequest): boolean {
  if (isAnswer(said)) return true;
  if (!isRefusal(said) || isAboutKey(said) || isReview(later) || !hasOwnJournal(later)) return false;
  return sent(earlier).some((one) => isAnswer(one) && (one.deliveredAt ?? 0) < (said.deliveredAt ?? 0));
}

/** No journal keeps what is about the key and its plan. */
const isAboutKey = ({ status = 0 }: SentRequest) => status === 402 || status === 403;

interface Repeated {
  readonly answer: SentRequest;
  readonly again: SentRequest;
}

function isExcused(history: Case, pair: Pair, { answer, again }: Repeated): boolean {
  const { earlier, later } = pair;
  const { during, runs } = history;
  const { deliveredAt = 0, wallet } = answer;
  const between = (kinds: RegExp, from: number) => during(kinds, from, again.sentAt).length > 0;
  const patience = patienceOf(history, earlier);
  // It cannot have known.
  if (again.sentAt <= deliveredAt || later.startedAt <= deliveredAt) return true;
  if (earlier.haltedMs > 0 && endOf(earlier) >= later.startedAt) return true;
  if (wasCutShort(earlier) && endOf(earlier) - deliveredAt <= patience) return true;
  if (between(/^power cut$/, deliveredAt) && !between(/^power cut$/, deliveredAt + patience)) return true;
  if (between(/^journal removed$/, earlier.startedAt)) return true;
  // Nothing is written once the lock is lost.
  if (during(/^lock deleted$/, earlier.startedAt, deliveredAt + NOTICE_MS).length > 0) return true;
  const users = runs.filter((run) => run.journal === earlier.journal && run.startedAt <= again.sentAt);
  const others = users.filter((run) => endOf(run) >= deliveredAt);
  if (others.some(({ diskFaults }) => diskFaults > 0)) return true;
  if (others.some(({ argv }) => argv.includes('prune') && argv.includes(wallet))) return true;
  if (earlier.env.RISKCLI_BASE_URL !== later.env.RISKCLI_BASE_URL) return true;
  if (users.some((taker) => hasTakenOver(history, { earlier, taker, answer }))) return true;
  if (isReview(later) && mayBeForgotten(history, later)) return true;
  if (!isReview(later) && hasOwnJournal(earlier) && others.some((run) => run !== later && isThrough(history, run)))
    return true;
  if (isOfAnotherDay(history, pair, deliveredAt)) return true;
  return hasExpired(history, { later, deliveredAt, again });
}

/**
 * Of a review that was kept, answers are used again on their UTC day only, unless --max-age says
 * otherwise; also those that it has from a review that was stopped.
 */
function isOfAnotherDay({ wall, runs }: Case, { earlier, later }: Pair, deliveredAt: number): boolean {
  const isKeeper = (run: RunRecord) =>
    run === earlier || (run.journal === later.journal && run.startedAt >= deliveredAt && endOf(run) <= later.startedAt);
  if (!isReview(later) || flagOf(later, '--max-age') !== undefined) return false;
  // Only what is kept is printed, also where some wallets got no answer in the end; 141: to a
  // reader that was gone.
  const isKept = (run: RunRecord) => hasFinished(run) || run.stdout !== '' || run.exitCode === 141;
  if (!runs.some((run) => isKeeper(run) && isKept(run))) return false;
  const day = (at: number) => new Date(wall(at)).toISOString().slice(0, 10);
  return day(deliveredAt) !== day(later.startedAt);
}

/**
 * Whether `taker` took over the lock while the answer was on its way. It does so after 60 s of
 * silence where it cannot see the holder, and a clock that is set counts as silence by how far.
 */
function hasTakenOver(
  { during }: Case,
  { earlier, taker, answer }: { readonly earlier: RunRecord; readonly taker: RunRecord; readonly answer: SentRequest },
): boolean {
  const { sentAt, deliveredAt = 0 } = answer;
  const isMeanwhile = taker.startedAt >= sentAt && taker.startedAt <= deliveredAt;
  return (
    isMeanwhile && taker.space !== earlier.space && during(/^clock/, earlier.startedAt, taker.startedAt).length > 0
  );
}

/**
 * Only of the newest review answers are used again: one of another list or service in between has
 * none of them.
 */
function mayBeForgotten({ runs, has }: Case, { journal, env }: RunRecord): boolean {
  const isOther = (run: RunRecord) => run.journal === journal && run.env.RISKCLI_BASE_URL !== env.RISKCLI_BASE_URL;
  return has(/^list edited$/) || runs.some(isOther);
}

/** Its own journal may be gone: nothing was left to ask. */
function isThrough(history: Case, run: RunRecord): boolean {
  if (hasFinished(run)) return true;
  if (!wasCutShort(run)) return false;
  const settled = history.requests.filter((request) => (request.deliveredAt ?? Number.POSITIVE_INFINITY) <= endOf(run));
  const done = new Set(
    settled.filter((one) => isAnswer(one) || (isRefusal(one) && !isAboutKey(one))).map(({ wallet }) => wallet),
  );
  return walletsOf(history, run).every((wallet) => wallet === undefined || done.has(wallet));
}

function hasExpired(
  history: Case,
  {
    later,
    deliveredAt,
    again,
  }: { readonly later: RunRecord; readonly deliveredAt: number; readonly again: SentRequest },
): boolean {
  const maxAge = maxAgeOf(later);
  if (maxAge === undefined) return false;
  return again.sentAt - deliveredAt >= maxAge || history.during(/^clock/, deliveredAt, again.sentAt).length > 0;
}

/**
 * A run that has lost its lock looks before each request, and at most 20 leave in one turn of its
 * event loop.
 */
const TURN = 20;
const NOTICE_MS = 1_000;

function* judgeAtOnce(history: Case, { earlier, later }: Pair): Generator<Violation> {
  const [first] = history.sent(later);
  if (!first) return;
  // A run that was halted before it took the lock, and asks only after the other has ended, is
  // alone.
  // one.
  const [own] = history.sent(earlier);
  if (own && own.sentAt > endOf(later)) return;
  const grace = NOTICE_MS + (history.has(/^slow disk$/) ? patienceOf(history, earlier) : 0);
  const rest = history.sent(earlier).filter(({ sentAt }) => sentAt > first.sentAt + grace);
  if (rest.length <= (earlier.haltedMs > 0 ? TURN : 0) || earlier.diskFaults + later.diskFaults > 0) return;
  yield {
    rule: 'two runs ask with one journal at once',
    detail: `run ${earlier.name} after run ${later.name}: ${rest.length} requests`,
  };
}
