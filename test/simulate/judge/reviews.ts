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
  readonly begun: number;
  readonly base: string;
  readonly counts: Readonly<Record<string, number>>;
  readonly exitCode: number;
  readonly rows: readonly OutputRow[];
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
  readonly begun: string;
  readonly base_url: string;
}

interface KeptEnd {
  readonly riskcli_review_end: number;
  readonly rows: number;
  readonly counts: Readonly<Record<string, number>>;
  readonly exit_code: number;
}

/** @throws for one that is not whole */
function readKept(path: string, text: string): Kept {
  const [head = '', ...lines] = text.split('\n');
  const [last = '', nothing] = lines.splice(-2);
  if (nothing !== '') throw new Error('the last line has no end');
  const header = JSON.parse(head) as KeptHeader;
  const end = JSON.parse(last) as KeptEnd;
  if (header.riskcli_review !== 1 || end.riskcli_review_end !== 1) throw new Error('it has no first or last line');
  const rows = readRows(lines.map((line) => `${line}\n`).join(''), 'jsonl');
  if (rows.length !== end.rows) throw new Error(`it has ${rows.length} rows, and says ${end.rows}`);
  return {
    path,
    named: timeIn(path),
    begun: Date.parse(header.begun),
    base: header.base_url,
    counts: end.counts,
    exitCode: end.exit_code,
    rows,
  };
}

function timeIn(path: string): number {
  const [, day, hour, minute, second] = KEPT.exec(path) ?? [];
  return Date.parse(`${day}T${hour}:${minute}:${second}Z`);
}

/** These have gone through the list. */
const WHOLE = [0, 3, 10];
/** These stopped before its end, whatever else there was. */
const STOPPED = [2, 4, 7, 9, 11];

function* judgeReview(history: Case, run: RunRecord, all: readonly Kept[]): Generator<Violation> {
  const { wall, has } = history;
  // A clock that is set meanwhile gives a review another time.
  if (has(/^clock/)) return;
  const say = (rule: string, detail: string) => ({ rule, detail: `run ${run.name}: ${detail}` });
  const isOther = (other: RunRecord) => other !== run && isReview(other) && folderOf(other) === folderOf(run);
  const others = STOPPED.includes(run.exitCode ?? 1) ? history.runs.filter(isOther) : [];
  const mine = all.filter(({ path }) => path.startsWith(`${folderOf(run)}/`));
  const isDuring = (kept: Kept, of: RunRecord) =>
    kept.begun >= Math.floor(wall(of.startedAt)) && kept.begun <= wall(endOf(of));
  // Of two at once, the one that was kept is not the one that had to wait.
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
  if (own && own.exitCode !== exitCode && [0, 3, 5, 6, 10].includes(exitCode))
    yield say('a review is kept with another exit code', `${own.exitCode}, not ${exitCode}`);
  if (!own || !run.argv.includes('--json') || run.stdout === '' || run.readerTakes !== undefined) return;
  yield* judgeDocument(history, { run, own, earlier: mine.filter(({ named }) => named < own.named) });
}

function* judgeKept(history: Case, run: RunRecord, own: Kept): Generator<Violation> {
  const say = (rule: string, detail: string) => ({ rule, detail: `run ${run.name}, ${own.path}: ${detail}` });
  if (own.named < Math.floor(own.begun / 1_000) * 1_000) yield say('a kept review has an earlier name', '');
  const wallets = walletsOf(history, run);
  if (own.rows.length !== wallets.length) {
    yield say('a kept review has not a row for each of the list', `${own.rows.length} of ${wallets.length}`);
    return;
  }
  yield* judgeEach(history, { run, rows: own.rows, wallets });
}

interface ReviewRow {
  readonly wallet_address: string | null;
  readonly score: { readonly old: number | null; readonly new: number | null };
}

interface Section {
  readonly count: number;
  readonly rows: readonly ReviewRow[];
}

interface ReviewDocument {
  readonly compared_with: { readonly file: string } | null;
  readonly rows: number;
  readonly wallets: number;
  readonly counts: Readonly<Record<string, number>>;
  readonly to_look_at: Section;
  readonly not_judged: Section;
  readonly excused: Section;
  readonly changed: Section;
  readonly came: Section;
  readonly left: Section;
}

interface Told {
  readonly run: RunRecord;
  readonly own: Kept;
  /** Kept before, in the same folder. */
  readonly earlier: readonly Kept[];
}

function* judgeDocument(history: Case, told: Told): Generator<Violation> {
  const { run, own } = told;
  const say = (rule: string, detail: string) => ({ rule, detail: `run ${run.name}: ${detail}` });
  let document: ReviewDocument;
  try {
    document = JSON.parse(run.stdout) as ReviewDocument;
  } catch {
    return yield say('a review cannot be read', run.stdout.slice(0, 200));
  }
  const known = new Set(walletsOf(history, run).filter((wallet) => wallet !== undefined));
  if (document.rows !== own.rows.length || document.wallets !== known.size)
    yield say('a review counts another list', `${document.rows} rows, ${document.wallets} wallets`);
  // Wallets by status, and not their rows; texts that are no wallets may be the same.
  for (const status of ['scored', 'no_score', 'failed', 'pending']) {
    const kept = new Set(own.rows.filter((row) => row.status === status).map(({ wallet }) => wallet?.toLowerCase()));
    if (document.counts[status] !== kept.size)
      yield say(
        'a review counts other wallets than are kept',
        `${status} ${document.counts[status]}, not ${kept.size}`,
      );
  }
  yield* judgeComparison(told, document);
}

const AGES: Readonly<Record<string, number>> = { '1d': 86_400_000, '7d': 7 * 86_400_000 };

const agoOf = (run: RunRecord) => AGES[flagOf(run, '--since') ?? '7d'] ?? 0;

/** Those at least three quarters as old as --since says. */
const oldEnough = ({ run, own, earlier }: Told) =>
  earlier.filter(({ named }) => own.begun - named >= 0.75 * agoOf(run));

/** Those of them in which a score is looked for that `compared` has not: the newest ten. */
function othersOf(told: Told, compared: Kept | undefined): readonly Kept[] {
  const others = oldEnough(told).filter((kept) => kept !== compared);
  const newest = others.sort((one, other) => other.named - one.named).slice(0, 10);
  return newest.filter(({ base }) => base === told.own.base);
}

/** The kept review that began nearest to --since ago, among those that are old enough. */
function comparedWith(told: Told): Kept | undefined {
  const { run, own } = told;
  const ago = agoOf(run);
  const old = oldEnough(told).filter(({ base }) => base === own.base);
  const distance = ({ named }: Kept) => Math.abs(own.begun - named - ago);
  return old.sort((one, other) => distance(one) - distance(other) || other.named - one.named)[0];
}

function* judgeComparison(told: Told, document: ReviewDocument): Generator<Violation> {
  const { run, own } = told;
  const say = (rule: string, detail: string) => ({ rule, detail: `run ${run.name}: ${detail}` });
  const compared = comparedWith(told);
  const file = compared?.path.slice(compared.path.lastIndexOf('/') + 1);
  // A kept review that a call of this run could not read is passed over, which is said.
  if (document.compared_with?.file !== file && run.diskFaults > 0 && run.stderr.includes('is passed over')) return;
  if (document.compared_with?.file !== file)
    return yield say('a review is compared with another one', `${document.compared_with?.file}, not ${file}`);
  const of = (kept: Kept | undefined) =>
    new Map((kept?.rows ?? []).toReversed().flatMap((row) => (row.status === 'invalid' ? [] : [[row.wallet, row]])));
  const [now, then] = [of(own), of(compared)];
  const left = compared ? [...then.keys()].filter((wallet) => !now.has(wallet)).length : 0;
  if (document.left.count !== left)
    yield say('a review tells of others that left', `${document.left.count}, not ${left}`);
  for (const { wallet_address } of document.came.rows) {
    if (!compared || then.has(wallet_address?.toLowerCase()))
      yield say('a wallet came that was there', `${wallet_address}`);
  }
  const { to_look_at, not_judged, excused, changed, came } = document;
  const others = othersOf(told, compared);
  for (const row of [to_look_at, not_judged, excused, changed, came].flatMap(({ rows }) => rows)) {
    const wallet = row.wallet_address?.toLowerCase();
    if (wallet === undefined || !now.has(wallet)) continue;
    if (row.score.new !== (now.get(wallet)?.score ?? null))
      yield say('a review tells another score than is kept', `${wallet}: ${row.score.new}`);
    const before = [compared, ...others].map((kept) => of(kept).get(wallet)?.score ?? null);
    const expected = then.has(wallet) ? (before.find((score) => score !== null) ?? null) : null;
    if (row.score.old !== expected)
      yield say('a review compares with another score', `${wallet}: ${row.score.old}, not ${expected}`);
  }
}
