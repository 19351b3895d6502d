/**
 * Reviews: each tells what is so, is compared with the last whole one and with answers that were given, and is remembered
 * only when it is whole itself.
 */
import { crc32 } from 'node:zlib';
import type { RunRecord, SentRequest, Violation } from '../history.ts';
import { type Case, endOf, isReview, maxAgeOf, mayBeAnswer, walletsOf, wasCutShort } from './case.ts';
import { REVIEWED } from './left-behind.ts';
import { scoreIn } from './rows.ts';

export function* judgeReviews(history: Case): Generator<Violation> {
  const reviews = history.runs.filter(isReview).sort((one, other) => endOf(one) - endOf(other));
  const lists = new Set(reviews.map(({ list, journal }) => `${list} ${journal}`));
  for (const run of reviews) yield* judgeSilence(history, run);
  for (const key of lists) {
    const mine = reviews.filter(({ list, journal }) => `${list} ${journal}` === key);
    const remembered = yield* judgeComparisons(history, mine);
    yield* judgeMemory(history, mine, remembered);
  }
}

/** These have seen the whole list. */
const WHOLE = [0, 3, 10];
/** These may have, but for what came of the end of it. */
const HALF_WAY = [1, 8, 129, 130, 141, 143];

const isWhole = (run: RunRecord) => run.how === 'exit' && WHOLE.includes(run.exitCode ?? 1);

function isAnsweredFor(history: Case, run: RunRecord): boolean {
  const settled = history.requests.filter(({ deliveredAt = Number.POSITIVE_INFINITY }) => deliveredAt <= endOf(run));
  const wallets = new Set(settled.map(({ wallet }) => wallet));
  return walletsOf(history, run).every((wallet) => wallet === undefined || wallets.has(wallet));
}

/** Whoever has not seen the whole list says nothing of it. */
function* judgeSilence(history: Case, run: RunRecord): Generator<Violation> {
  // A signal may come between its last answer and its end.
  if (run.signals.length > 0 && isAnsweredFor(history, run)) return;
  if (run.how !== 'exit' || isWhole(run) || [8, 141].includes(run.exitCode ?? 1) || run.stdout === '') return;
  yield { rule: 'a review that was stopped prints', detail: `run ${run.name}, exit ${run.exitCode}: ${run.stdout}` };
}

/** What is remembered: the last review, and the first one with the same baseline, and that. */
interface Memory {
  readonly last: RunRecord;
  readonly first: RunRecord;
  readonly baseline: RunRecord | undefined;
}

/** With what may be remembered when it begins, what `run` is compared with, and what is remembered when it was whole. */
function next({ wall }: Case, memory: Memory | undefined, run: RunRecord): Memory[] {
  if (!memory) return [{ last: run, first: run, baseline: undefined }];
  const { last, first, baseline } = memory;
  const maxAge = maxAgeOf(run) ?? 0;
  // When exactly a review begins and ends only it knows.
  const mostAge = wall(endOf(run)) - wall(first.startedAt);
  const leastAge = wall(run.startedAt) - wall(endOf(first));
  return [
    ...(leastAge < maxAge ? [{ last: run, first, baseline }] : []),
    ...(mostAge >= maxAge ? [{ last: run, first: run, baseline: last }] : []),
  ];
}

/** @returns what may be remembered in the end */
function* judgeComparisons(
  history: Case,
  reviews: readonly RunRecord[],
): Generator<Violation, readonly (Memory | undefined)[]> {
  let memories: readonly (Memory | undefined)[] = [undefined];
  for (const run of reviews) {
    const then = memories.flatMap((memory) => next(history, memory, run));
    if (isWhole(run) && run.argv.includes('--json')) yield* judgeDocument(history, run, then);
    if (isWhole(run)) memories = distinct(then);
    else if (wasCutShort(run) || HALF_WAY.includes(run.exitCode ?? 1)) memories = distinct([...memories, ...then]);
  }
  return memories;
}

function distinct(memories: readonly (Memory | undefined)[]): readonly (Memory | undefined)[] {
  const keyOf = (memory: Memory | undefined) =>
    memory && [memory.last.name, memory.first.name, memory.baseline?.name].join();
  return [...new Map(memories.map((memory) => [keyOf(memory), memory])).values()];
}

interface ReviewRow {
  readonly wallet_address: string | null;
  readonly status: string;
  readonly score: number | null;
  readonly score_before: number | null;
  readonly answered_before: string | null;
}

interface Rows {
  readonly count: number;
  readonly rows: readonly ReviewRow[];
}

interface Document {
  readonly compared_with: string | null;
  readonly rows: number;
  readonly wallets: number;
  readonly asked: number;
  readonly counts: Readonly<Record<string, number>>;
  readonly to_look_at: Rows;
  readonly changed_most: Rows;
  readonly new: Rows;
  readonly not_judged: Rows;
}

function* judgeDocument(history: Case, run: RunRecord, then: readonly Memory[]): Generator<Violation> {
  const say = (rule: string, detail: string) => ({ rule, detail: `run ${run.name}: ${detail}` });
  const document = parsed(run.stdout) as Document | undefined;
  if (!document) return yield say('a review cannot be read', run.stdout.slice(0, 200));
  const wallets = walletsOf(history, run);
  const known = new Set(wallets.filter((wallet) => wallet !== undefined));
  const counted = Object.values(document.counts).reduce((sum, count) => sum + count, 0);
  if (document.rows !== wallets.length || counted !== wallets.length || document.wallets !== known.size)
    yield say('a review counts another list', `${document.rows} rows, ${counted} counted, ${document.wallets} wallets`);
  const asked = new Set(history.sent(run).map(({ wallet }) => wallet)).size;
  if (document.asked !== asked) yield say('a review tells what it has not asked', `${document.asked}, not ${asked}`);
  const { counts } = document;
  const isPartly = (counts.invalid ?? 0) + (counts.failed ?? 0) > 0;
  // Whoever cannot be judged matches.
  const isMatched = document.to_look_at.count + document.not_judged.count > 0;
  const expected = isMatched && run.argv.includes('--fail-if') ? 10 : isPartly ? 3 : 0;
  if (run.exitCode !== expected) yield say('a review has a wrong exit code', `${run.exitCode}, not ${expected}`);
  yield* judgeBaseline(history, { run, document, then });
  for (const row of [document.to_look_at, document.changed_most, document.new, document.not_judged].flatMap(
    ({ rows }) => rows,
  )) {
    yield* judgeRow(history, { run, row, comparedWith: document.compared_with });
  }
}

/** What may make an answer that is known to the ledger unknown to a journal, or its time another. */
const UNSETTLED = /^kill|^power|^failing|^disk nearly|^journal removed$|^clock|^halt|^suspend|^lock|^slow/;

const isSettled = ({ runs, has }: Case) =>
  !has(UNSETTLED) &&
  runs.every((run) => !wasCutShort(run) && run.diskFaults === 0 && !/prune|purge/.test(run.argv[1] ?? ''));

interface Baseline {
  readonly run: RunRecord;
  readonly document: Document;
  readonly then: readonly Memory[];
}

function* judgeBaseline(history: Case, { run, document, then }: Baseline): Generator<Violation> {
  const { wall, has } = history;
  if (has(/^clock/)) return;
  const at = document.compared_with === null ? undefined : Date.parse(document.compared_with);
  const isOf = (review: RunRecord | undefined) =>
    review === undefined
      ? at === undefined
      : at === undefined
        ? !isSettled(history) || answersOf(history, run, wall(endOf(review))).length === 0
        : at >= wall(review.startedAt) && at <= wall(endOf(review)) + 1;
  if (then.some(({ baseline }) => isOf(baseline))) return;
  yield {
    rule: 'a review is compared with another one than the last',
    detail: `run ${run.name}: ${document.compared_with}, not ${then.map(({ baseline }) => baseline?.name).join(' or ')}`,
  };
}

/** Those that runs with the same journal have got by then. */
function answersOf({ runs, requests, wall }: Case, { journal }: RunRecord, until: number): readonly SentRequest[] {
  const names = new Set(runs.filter((run) => run.journal === journal).map(({ name }) => name));
  return requests.filter(
    (request) => names.has(request.run) && mayBeAnswer(request) && wall(request.deliveredAt ?? 0) <= until,
  );
}

interface Told {
  readonly run: RunRecord;
  readonly row: ReviewRow;
  readonly comparedWith: string | null;
}

/** A failure, or an answer without a score, is never what a wallet is compared with: its last good answer is. */
function* judgeRow(history: Case, { run, row, comparedWith }: Told): Generator<Violation> {
  const wallet = row.wallet_address?.toLowerCase();
  if (wallet === undefined || history.has(/^clock/)) return;
  const say = (rule: string, detail: string) => ({ rule, detail: `run ${run.name}, ${wallet}: ${detail}` });
  const scoresBy = (until: number) =>
    answersOf(history, run, until)
      .filter((request) => request.wallet === wallet)
      .map(({ body = '' }) => scoreIn(body));
  const now = scoresBy(history.wall(endOf(run)));
  if (row.status === 'scored' && !now.includes(row.score))
    yield say('a review tells a score that was never answered', `${row.score}, not ${now.join(' or ')}`);
  if (row.answered_before === null) return;
  // An answer is dated when it is taken, and the baseline when the review is whole, to the millisecond.
  const before = scoresBy(Date.parse(comparedWith ?? '') + 1).filter((score) => score !== null);
  const expected = isSettled(history) ? before.slice(-1) : before;
  if (!expected.includes(row.score_before as number))
    yield say('a review compares with another answer', `${row.score_before}, not ${expected.join(' or ')}`);
}

function* judgeMemory(
  history: Case,
  reviews: readonly RunRecord[],
  remembered: readonly (Memory | undefined)[],
): Generator<Violation> {
  const [{ journal = '', list = '' } = {}] = reviews;
  const name = list.slice(list.lastIndexOf('/') + 1);
  const found = [...history.files].filter(
    ([path]) => path.startsWith(`${journal}.review-`) && REVIEWED.test(path) && listIn(path, history) === name,
  );
  const [file] = found;
  if (!file) {
    if (!remembered.includes(undefined)) yield { rule: 'a whole review is not remembered', detail: journal };
    return;
  }
  const memory = readMemory(file[1]);
  if (!memory) return yield { rule: 'what is remembered of reviews is damaged', detail: file[0] };
  if (history.has(/^clock/)) return;
  const { wall } = history;
  const isOf = ({ startedAt }: RunRecord, ended: number) =>
    memory.endedAt >= wall(startedAt) && memory.endedAt <= ended;
  const last = remembered.find((one) => one && isOf(one.last, wall(endOf(one.last)) + 1))?.last;
  if (!last) {
    const names = remembered.map((one) => one?.last.name ?? 'none').join(' or ');
    return yield { rule: 'another review is remembered than the last whole one', detail: `not ${names}` };
  }
  const erased = history.runs.flatMap(({ argv }) => (argv[1] === 'purge' ? argv.slice(-1) : []));
  const listed = new Set(walletsOf(history, last).filter((wallet) => wallet && !erased.includes(wallet)));
  const wrong = memory.wallets.filter((wallet) => !listed.delete(wallet) && !erased.includes(wallet));
  if (wrong.length + listed.size > 0)
    yield { rule: 'other wallets are remembered than were listed', detail: [...wrong, ...listed].join(' ') };
}

const listIn = (path: string, { files }: Case) =>
  (parsed(files.get(path)?.toString().split('\n')[0] ?? '') as { list?: string } | undefined)?.list;

/** The judge's own reader of a file JOURNAL.review-...; undefined for one that is damaged. */
function readMemory(bytes: Buffer): { readonly endedAt: number; readonly wallets: readonly string[] } | undefined {
  const text = bytes.toString();
  const lines = text.split('\n');
  const end = parsed(lines.at(-2) ?? '') as { ended_at?: string; crc?: string } | undefined;
  const content = Buffer.from(`${lines.slice(0, -2).join('\n')}\n`);
  if (lines.at(-1) !== '' || end?.crc !== crc32(content).toString(16).padStart(8, '0')) return undefined;
  const listed = lines.slice(1, -2).map((line) => parsed(line) as [string, number, number]);
  return {
    endedAt: Date.parse(end.ended_at ?? ''),
    wallets: listed.flatMap(([wallet, , left]) => (left === 0 ? wallet : [])),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
