/**
 * Reviews: one that has gone through its list is kept whole and says what is in its file; one that
 * was stopped says and keeps nothing. What is kept is compared with the review that the contract
 * names, and never changes.
 */
import type { RunRecord, Violation } from '../history.ts';
import { type Case, endOf, flagOf, isReview, walletsOf } from './case.ts';
import { type OutputRow, readRows } from './readers.ts';
import { judgeEach } from './rows.ts';

/** The name of a kept review. */
export const KEPT = /\/(\d{4}-\d\d-\d\d)T(\d\d)(\d\d)(\d\d)Z\.jsonl$/;

export const folderOf = (run: RunRecord): string => flagOf(run, '--keep') ?? `${run.list}.reviews`;

/** A kept review, as the judge reads it. */
interface Kept {
  readonly path: string;
  /** The second in its name, and the time in its first line. */
  readonly named: number;
  readonly started: number;
  readonly baseUrl: string;
  readonly exitCode: number;
  readonly rows: readonly OutputRow[];
  /** By wallet, for rows without a complete answer: the score of the last complete one. */
  readonly last: ReadonlyMap<string | undefined, number | null>;
}

export function* judgeReviews(history: Case): Generator<Violation> {
  const reviews = history.runs.filter(isReview);
  const kept: Kept[] = [];
  for (const [path, bytes] of history.files) {
    if (!isKeptBy(path, reviews)) continue;
    try {
      kept.push(readKept(path, bytes.toString()));
    } catch (error) {
      yield { rule: 'a kept review cannot be read', detail: `${path}: ${error}` };
    }
  }
  for (const run of reviews) yield* judgeReview(history, run, kept);
}

export const isKeptBy = (path: string, reviews: readonly RunRecord[]): boolean =>
  KEPT.test(path) && reviews.some((run) => path.startsWith(`${folderOf(run)}/`));

interface KeptHeader {
  readonly riskcli_review: number;
  readonly started: string;
  readonly base_url: string;
}

interface KeptEnd {
  readonly riskcli_review_end: number;
  readonly rows: number;
  readonly exit_code: number;
}

/** @throws for one that is not whole */
function readKept(path: string, text: string): Kept {
  const [head = '', ...lines] = text.split('\n');
  const [last = '', nothing] = lines.splice(-2);
  if (nothing !== '') throw new Error('the last line has no end');
  const header = JSON.parse(head) as KeptHeader;
  const end = JSON.parse(last) as KeptEnd;
  if (header.riskcli_review !== 2 || end.riskcli_review_end !== 2) throw new Error('it has no first or last line');
  const ofList = lines.filter((line) => !line.startsWith('{"riskcli_removed"'));
  const rows = readRows(ofList.map((line) => `${line}\n`).join(''), 'jsonl');
  if (rows.length !== end.rows) throw new Error(`it has ${rows.length} rows, and says ${end.rows}`);
  return {
    path,
    named: timeIn(path),
    started: Date.parse(header.started),
    baseUrl: header.base_url,
    exitCode: end.exit_code,
    rows,
    last: new Map(ofList.toReversed().flatMap((line) => lastOf(JSON.parse(line) as KeptRow))),
  };
}

interface KeptRow {
  readonly wallet_address?: string;
  readonly _meta: { readonly last?: { readonly document: { readonly defi_score?: { readonly defi_score: number } } } };
}

function lastOf({ wallet_address: wallet, _meta: { last } }: KeptRow): [string | undefined, number | null][] {
  return last ? [[wallet?.toLowerCase(), last.document.defi_score?.defi_score ?? null]] : [];
}

function timeIn(path: string): number {
  const [, day, hour, minute, second] = KEPT.exec(path) ?? [];
  return Date.parse(`${day}T${hour}:${minute}:${second}Z`);
}

/** These have gone through the list. */
const WHOLE = [0, 3, 10];
/** These stopped before its end, whatever else there was. */
const STOPPED = [2, 4, 5, 6, 7, 9, 11];

function* judgeReview(history: Case, run: RunRecord, all: readonly Kept[]): Generator<Violation> {
  const { wall, has } = history;
  // A clock that is set meanwhile gives a review another time.
  if (has(/^clock/)) return;
  const say = (rule: string, detail: string) => ({ rule, detail: `run ${run.name}: ${detail}` });
  const isOther = (other: RunRecord) => other !== run && isReview(other) && folderOf(other) === folderOf(run);
  const others = STOPPED.includes(run.exitCode ?? 1) ? history.runs.filter(isOther) : [];
  const mine = all.filter(({ path }) => path.startsWith(`${folderOf(run)}/`));
  const isDuring = (kept: Kept, of: RunRecord) =>
    kept.started >= Math.floor(wall(of.startedAt)) && kept.started <= wall(endOf(of));
  // Of two runs at once, the kept review belongs to the one that was not refused.
  const found = mine.filter((kept) => isDuring(kept, run) && !others.some((other) => isDuring(kept, other)));
  // One began in the millisecond in which the other ended.
  if (found.length > 1) return;
  const [own] = found;
  if (own) yield* judgeKept(history, run, own);
  if (run.how !== 'exit') return;
  const { exitCode = 1 } = run;
  if (!own && WHOLE.includes(exitCode)) yield say('a whole review is not kept', `exit ${exitCode}`);
  if (own && STOPPED.includes(exitCode)) yield say('a review that was stopped is kept', `exit ${exitCode}`);
  if (!own && run.stdout !== '') yield say('a review that is not kept prints', `exit ${exitCode}: ${run.stdout}`);
  if (own && own.exitCode !== exitCode && WHOLE.includes(exitCode))
    yield say('a review is kept with another exit code', `${own.exitCode}, not ${exitCode}`);
  if (!own || !run.argv.includes('--json') || run.stdout === '' || run.readerTakes !== undefined) return;
  yield* judgeDocument(history, { run, own, earlier: mine.filter(({ named }) => named < own.named) });
}

function* judgeKept(history: Case, run: RunRecord, own: Kept): Generator<Violation> {
  const say = (rule: string, detail: string) => ({ rule, detail: `run ${run.name}, ${own.path}: ${detail}` });
  if (own.named < Math.floor(own.started / 1_000) * 1_000) yield say('a kept review has an earlier name', '');
  const wallets = walletsOf(history, run);
  if (own.rows.length !== wallets.length) {
    yield say(
      'a kept review does not have one row for each row of the list',
      `${own.rows.length} of ${wallets.length}`,
    );
    return;
  }
  yield* judgeEach(history, { run, rows: own.rows, wallets });
}

interface ReviewWallet {
  readonly wallet: string | null;
  /** Null for a wallet that left the list. */
  readonly line: number | null;
  readonly score: number | null;
  readonly previous?: { readonly score: number | null } | null;
}

const SECTIONS = ['new', 'open', 'not_judged', 'closed', 'watch', 'excused', 'changed', 'added', 'removed'] as const;

interface ReviewDocument extends Readonly<Record<(typeof SECTIONS)[number], { readonly wallets: ReviewWallet[] }>> {
  readonly compared_with: { readonly file: string } | null;
  readonly counts: Readonly<Record<string, number>>;
}

interface Printed {
  readonly run: RunRecord;
  readonly own: Kept;
  /** Kept before, in the same folder. */
  readonly earlier: readonly Kept[];
}

function* judgeDocument(history: Case, printed: Printed): Generator<Violation> {
  const { run, own } = printed;
  const say = (rule: string, detail: string) => ({ rule, detail: `run ${run.name}: ${detail}` });
  let document: ReviewDocument;
  try {
    document = JSON.parse(run.stdout) as ReviewDocument;
  } catch {
    return yield say('a review cannot be read', run.stdout.slice(0, 200));
  }
  const { counts } = document;
  const known = new Set(walletsOf(history, run).filter((wallet) => wallet !== undefined));
  const { rows, wallets = 0, invalid = 0 } = counts;
  // Texts that are no wallets may be the same, and then count as one.
  if (rows !== own.rows.length || wallets - invalid !== known.size)
    yield say('a review counts another list', `${rows} rows, ${wallets} wallets, ${invalid} of them invalid`);
  for (const status of ['scored', 'no_score', 'failed']) {
    const kept = new Set(own.rows.filter((row) => row.status === status).map(({ wallet }) => wallet?.toLowerCase()));
    if (counts[status] !== kept.size)
      yield say('a review counts other wallets than are kept', `${status} ${counts[status]}, not ${kept.size}`);
  }
  yield* judgeComparison(printed, document);
}

const DAY_MS = 86_400_000;
const dayOf = ({ named }: Kept) => Math.floor(named / DAY_MS);
const SINCE: Readonly<Record<string, number>> = { '1d': 1, '7d': 7 };

/** The last reviews of the earlier days, the newest first. */
function ofEarlierDays({ own, earlier }: Printed): readonly Kept[] {
  const before = earlier.filter((kept) => dayOf(kept) < dayOf(own)).sort((one, other) => other.named - one.named);
  return before.filter((kept, i) => i === 0 || dayOf(before[i - 1] as Kept) !== dayOf(kept));
}

const isOfService = (own: Kept) => (kept: Kept) => kept.baseUrl === own.baseUrl;

const stateOf = (printed: Printed): Kept | undefined =>
  printed.earlier
    .filter((kept) => dayOf(kept) < dayOf(printed.own) && isOfService(printed.own)(kept))
    .sort((one, other) => other.named - one.named)[0];

/**
 * The kept review nearest to --since among those at least three quarters as old, else the oldest.
 * If it is of another service, the next older one that is not, else the next younger one.
 */
function baseOf(printed: Printed): Kept | undefined {
  const { run, own, earlier } = printed;
  const since = SINCE[flagOf(run, '--since') ?? '7d'] ?? 0;
  const age = (kept: Kept) => dayOf(own) - dayOf(kept);
  const distance = (kept: Kept) => Math.abs(age(kept) - since);
  const days = ofEarlierDays(printed);
  const oldEnough = days.filter((kept) => age(kept) >= 0.75 * since);
  const [best = days.at(-1)] = oldEnough.toSorted(
    (one, other) => distance(one) - distance(other) || age(other) - age(one),
  );
  if (!best) return undefined;
  const usable = earlier.filter((kept) => dayOf(kept) < dayOf(own)).filter(isOfService(own));
  const older = usable.filter(({ named }) => named <= best.named).sort((one, other) => other.named - one.named);
  return older[0] ?? usable.sort((one, other) => one.named - other.named)[0];
}

const rowsOf = (kept: Kept | undefined) =>
  new Map((kept?.rows ?? []).toReversed().flatMap((row) => (row.status === 'invalid' ? [] : [[row.wallet, row]])));

function* judgeComparison(printed: Printed, document: ReviewDocument): Generator<Violation> {
  const { run, own } = printed;
  const say = (rule: string, detail: string) => ({ rule, detail: `run ${run.name}: ${detail}` });
  const [state, base] = [stateOf(printed), baseOf(printed)];
  const file = base?.path.slice(base.path.lastIndexOf('/') + 1);
  // A kept review that a call of this run could not read is skipped, which is reported.
  if (run.diskFaults > 0 && run.stderr.includes('is skipped')) return;
  if (document.compared_with?.file !== file)
    return yield say('a review is compared with another one', `${document.compared_with?.file}, not ${file}`);
  const [now, then] = [rowsOf(own), rowsOf(base)];
  const shown = SECTIONS.flatMap((name) => document[name].wallets);
  const removed = shown.filter(({ line, wallet }) => line === null && /^0x/.test(wallet ?? '')).length;
  const left = [...new Set([...then.keys(), ...rowsOf(state).keys()])].filter((wallet) => !now.has(wallet));
  if (removed !== left.length) yield say('a review reports other wallets as removed', `${removed}, not ${left.length}`);
  for (const { wallet: spelling, line, score, previous } of shown) {
    const wallet = spelling?.toLowerCase();
    if (wallet === undefined || !/^0x/.test(wallet)) continue;
    const row = now.get(wallet);
    if (line !== null && score !== (row?.score ?? null))
      yield say('a review shows another score than is kept', `${wallet}: ${score}`);
    const expected = previousScore(base, { wallet, row: line === null ? undefined : row });
    if (expected === 'none' ? previous : (previous?.score ?? null) !== expected)
      yield say('a review compares with another score', `${wallet}: ${previous?.score}, not ${expected}`);
  }
}

/** The score of the earlier answer of a wallet; `none` if it is not on the list of the base. */
function previousScore(base: Kept | undefined, { wallet, row }: { wallet: string; row: OutputRow | undefined }) {
  const then = rowsOf(base).get(wallet);
  if (!then) return 'none';
  const last = base?.last.get(wallet);
  const own = then.status === 'scored' || then.status === 'no_score' ? (then.score ?? null) : undefined;
  const isComplete = row !== undefined && row.status === 'scored';
  return (isComplete ? (own ?? last) : own !== undefined ? own : last) ?? null;
}
