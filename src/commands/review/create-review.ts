/** Compares each row of a list with what was known of its wallet, and prints the review at the end. */
import { basename } from 'node:path';
import type { ListOutcome } from '../../batch/outcome.ts';
import type { Context } from '../../context.ts';
import type { ObjectNode } from '../../document/node.ts';
import type { Path } from '../../document/path.ts';
import { writeAll } from '../../files/stream.ts';
import { crypto } from '../../host/builtin.ts';
import { prunedWords } from '../../journal/history.ts';
import { type GoodAnswer, type LastGood, openLastGood } from '../../journal/last-good.ts';
import { type Listed, listNameFor, openReviewMemory, type ReviewMemory } from '../../journal/review-memory.ts';
import type { PastReviews } from '../../journal/reviews-file.ts';
import type { ListRecord } from '../../lists/list.ts';
import { createReviewFigures, hasNews, MAX_KEPT, type Review } from '../../output/review/figures.ts';
import { letterLines } from '../../output/review/letter.ts';
import { findLevels, LEVEL_ANSWERS } from '../../output/review/levels.ts';
import type { Before } from '../../output/review/review-row.ts';
import { chooseLabel, labelOf } from '../../row/label.ts';
import { answeredRow } from '../../row/make-row.ts';
import { createMatches } from '../../row/matches.ts';
import type { Row } from '../../row/row.ts';
import { findScore } from '../../row/score.ts';
import { visibleName } from '../../secrets/withhold.ts';
import { wrapped } from '../../text/words.ts';
import { silent } from '../shared/list/conclusion.ts';
import type { Companion, KnownThen } from '../shared/list/options.ts';
import { terminalOrPipe } from '../shared/terminal.ts';
import type { ReviewOptions } from './options.ts';

interface ReviewSetting {
  readonly options: ReviewOptions;
  readonly scorePath: Path | undefined;
  readonly context: Context;
}

export function createReview(setting: ReviewSetting): Companion {
  let opened: OpenedReview | undefined;
  return {
    async begin(first) {
      opened = await openReview(setting, first);
      return knownThen(opened);
    },
    row: (row) => opened && takeRow(opened, row),
    end: async (outcome, failure) => (opened ? endReview(opened, outcome, failure) : failure),
    close() {
      opened?.known?.close();
      opened?.memory.discard();
    },
  };
}

type OpenedReview = Awaited<ReturnType<typeof openReview>>;

async function openReview(setting: ReviewSetting, first: readonly ListRecord[]) {
  const { options, context } = setting;
  const { rules, accept, minChange } = options;
  const at = context.now();
  const inputs = first.map(({ input }) => input);
  const label = chooseLabel(inputs, { wanted: options.label });
  const memory = await openMemory(setting, at);
  const times = timesOf(memory.past, { at, maxAge: options.maxAge, since: options.since });
  const known = await openKnown(setting, memory, times.comparedWith);
  const digest = rulesDigest(options);
  const hasNewRules = times.baselineJudged?.rules !== digest;
  const levels = known ? findLevels(documentsOf(known.first(LEVEL_ANSWERS))) : [];
  return {
    ...setting,
    at,
    label,
    memory,
    times,
    known,
    /** Undefined where the journal knew nothing then. */
    baseline: known ? times.comparedWith : undefined,
    digest,
    figures: createReviewFigures({ rules, hasNewRules, accept, minChange, levels }),
    matches: createMatches(options),
    /** Wallets that were listed then, and of which the journal has only newer answers. */
    onlyLater: 0,
  };
}

/** Which wallets were listed is known only if there was a review before. */
function knownThen({ memory, baseline }: OpenedReview): KnownThen | undefined {
  if (!memory.past || baseline === undefined) return undefined;
  return { asOf: baseline, wasListed: (id) => memory.wasListed(id, baseline) };
}

function takeRow(opened: OpenedReview, row: Row): void {
  const { label, memory, baseline, figures, at } = opened;
  const name = labelOf(row.input, label);
  const id = row.wallet?.toLowerCase();
  const listedSince = id === undefined ? at : memory.list({ id, label: name });
  if (listedSince === undefined) {
    figures.repeat(row);
    return;
  }
  const isCompared = baseline !== undefined;
  const isNew = isCompared && id !== undefined && listedSince > baseline;
  const before = isNew || id === undefined ? undefined : beforeOf(opened, row, id);
  figures.add(row, { label: name, isNew, before, isCompared });
}

function beforeOf(opened: OpenedReview, row: Row, id: string): Before | undefined {
  const { known, matches, scorePath } = opened;
  const answer = known?.find(id, row.document);
  if (!answer && known?.has(id) === false) opened.onlyLater += 1;
  if (!answer) return undefined;
  const { document, score, answeredAt, isCurrent } = answer;
  const wallet = { ok: true, address: row.wallet ?? id, id } as const;
  const judged = () => matches.evaluate(answeredRow(row, { wallet, document, answeredAt, scorePath }));
  return { document, score, answeredAt, isCurrent, judged };
}

/** Prints the review, then remembers it: a run that is stopped in between prints the same again. */
async function endReview(opened: OpenedReview, outcome: ListOutcome, failure: unknown): Promise<unknown> {
  const { options, context, memory, baseline, known, onlyLater } = opened;
  const review = reviewOf(opened, outcome, await leaversOf(memory, baseline));
  const { prunedUntil } = known ?? {};
  const pruned = prunedWords({ onlyLater, prunedUntil }, { path: options.journal, asOf: baseline });
  if (pruned !== undefined) context.report.warn(pruned);
  context.signal().throwIfAborted();
  const isSilent = options.onlyNews && !review.hasNews && options.format === 'table';
  if (!isSilent) await writeAll(context.stdout, await textOf(review, opened));
  await remember(opened, review.figures.byStatus.invalid);
  return isSilent ? silent(failure) : failure;
}

function reviewOf(opened: OpenedReview, outcome: ListOutcome, left: Review['left']): Review {
  const { options, at, baseline, times, memory } = opened;
  const figures = opened.figures.all();
  const moreInvalid = figures.byStatus.invalid > (times.baselineJudged?.invalid ?? 0);
  return {
    list: options.list === '-' ? 'standard input' : visibleName(basename(options.list)),
    journal: visibleName(options.journal),
    reviewedAt: at,
    baseline,
    wanted: times.comparedWith,
    lastAt: memory.past?.endedAt,
    hasNews: hasNews(figures, { left: left.count, moreInvalid }),
    asked: Math.max(0, figures.wallets - outcome.reused),
    reused: outcome.reused,
    figures,
    left,
  };
}

async function remember({ memory, times, digest, context, at }: OpenedReview, invalid: number): Promise<void> {
  const endedAt = Math.max(context.now(), at);
  const { begunAt = endedAt, baseline, baselineJudged } = times;
  await memory.commit({ endedAt, begunAt, baseline, baselineJudged, judged: { rules: digest, invalid } });
}

function openMemory({ options: { list, journal }, context }: ReviewSetting, at: number): Promise<ReviewMemory> {
  const { uid, report } = context;
  const signal = context.signal();
  return openReviewMemory({
    journal,
    list: listNameFor(list, journal),
    at,
    host: context,
    uid,
    signal,
    onDamage: report.warn,
  });
}

/** What a review at the time `at` is compared with, and when the first review compared with that began. */
function timesOf(
  past: PastReviews | undefined,
  { at, maxAge, since }: { readonly at: number; readonly maxAge: number; readonly since: number | undefined },
) {
  // A review soon after another keeps its baseline, so that it prints the same again.
  const isRepeated = past !== undefined && at - past.begunAt < maxAge;
  const usual = isRepeated ? past.baseline : past?.endedAt;
  return {
    comparedWith: since ?? usual,
    baseline: usual,
    begunAt: isRepeated ? past.begunAt : undefined,
    baselineJudged: isRepeated ? past.baselineJudged : past?.judged,
  };
}

/** What the journal knew at the time `asOf`; undefined if nothing. */
async function openKnown(
  { options, scorePath, context }: ReviewSetting,
  { index }: ReviewMemory,
  asOf: number | undefined,
): Promise<LastGood | undefined> {
  if (asOf === undefined) return undefined;
  const scoreOf = (document: ObjectNode) => findScore(document, scorePath).score;
  const { uid } = context;
  const known = await openLastGood({ path: options.journal, uid, signal: context.signal(), index, asOf, scoreOf });
  if (known.size > 0) return known;
  known.close();
  return undefined;
}

function* documentsOf(answers: Iterable<GoodAnswer>): Generator<ObjectNode> {
  for (const { document } of answers) yield document;
}

/** Other rules, or other exceptions in force, have another digest. */
function rulesDigest({ rules, exceptions = [] }: ReviewOptions): string {
  const inForce = exceptions.filter(({ isExpired }) => !isExpired).map(({ id, rule }) => [id, rule]);
  const text = JSON.stringify([rules.map(({ name, when }) => [name, when]), inForce]);
  return crypto().createHash('sha256').update(text).digest('hex').slice(0, 16);
}

async function leaversOf(memory: ReviewMemory, baseline: number | undefined): Promise<Review['left']> {
  const rows: Listed[] = [];
  let count = 0;
  // Without a baseline no leaver is reported, and all are remembered.
  await memory.findLeavers(baseline ?? Number.POSITIVE_INFINITY, (leaver) => {
    count += 1;
    if (rows.length < MAX_KEPT) rows.push(leaver);
  });
  return { count, rows };
}

async function textOf(review: Review, { options, context }: ReviewSetting): Promise<string> {
  if (options.format === 'json') {
    return (await import('../../output/review/document.ts')).reviewText(review);
  }
  const terminal = terminalOrPipe({ color: options.color }, context);
  const lines = await letterLines(review, terminal);
  // In a mail a single line is not wrapped; a terminal would break it within a word.
  const [only] = context.stdout.isTTY && lines.length === 1 ? lines : [];
  return `${(only === undefined ? lines : wrapped(only, terminal.width)).join('\n')}\n`;
}
