/** One wallet of a kept review: all of its rows together, and the section that it is in. */
import { type Difference, deltaOf, isChangedBy, percentOf, presentValue } from '../compare/compare.ts';
import type { Node } from '../document/node.ts';
import type { Path } from '../document/path.ts';
import type { Decimal } from '../row/decimal.ts';
import { type Alarm, CAUSES, type ClosedAlarm, type KeptMeta } from '../row/kept.ts';
import { type InputCell, inputCells, labelOf } from '../row/label.ts';
import { classify, type Row, type Status } from '../row/row.ts';
import type { RemovedWallet } from '../runs/review-lines.ts';
import { collateralOf } from '../runs/run.ts';
import { DAY_MS, timeIn } from '../text/when.ts';
import { isLowered, isOpenAlarm } from './alarms.ts';
import { earliestNotJudged, mergeAlarms } from './earlier.ts';

/**
 * A wallet as a review reports it. Its texts come from the service: the printer escapes them.
 */
export interface WalletFacts
  extends Pick<KeptMeta, 'previous' | 'alarms' | 'closed' | 'notJudged'>,
    Pick<Row, 'wallet' | 'score' | 'warning' | 'answeredAt'> {
  /** Undefined for a wallet that left the list, as is the status. */
  readonly line?: number | undefined;
  readonly status?: Status | undefined;
  readonly collateral?: Node | undefined;
  /** The last known score, and the day of its answer; undefined for a complete answer. */
  readonly last?: { readonly score: Node; readonly day: string } | undefined;
  /** The HTTP status in place of an answer, or the code of the error. */
  readonly error?: string | undefined;
  /** Made on demand, since few wallets are shown. */
  labels(): WalletLabels;
}

interface WalletLabels {
  readonly label: string | undefined;
  /** The labels of its other rows. */
  readonly also: readonly string[];
  /** The list's own columns. */
  readonly columns: readonly InputCell[];
}

/** A wallet that is shown. */
export type ReviewWallet = Omit<WalletFacts, 'labels'> & WalletLabels;

export function labelledWallet({ labels, ...facts }: WalletFacts): ReviewWallet {
  return { ...facts, ...labels() };
}

/** The settings by which a kept file is read. */
export interface ReadOptions {
  /** The day of the review. */
  readonly day: string;
  readonly labelColumn: string | undefined;
  readonly scorePath: Path | undefined;
}

/** @param rows all rows of a wallet, or of a text that is not one */
export function walletFacts(rows: readonly [Row, ...Row[]], options: ReadOptions): WalletFacts {
  const { day, labelColumn, scorePath } = options;
  const alarms = mergeAlarms(rows);
  const row = representativeRow(rows, day);
  const { wallet, line, status, score, warning, answeredAt, error } = row;
  return {
    wallet,
    line,
    status,
    score,
    warning,
    answeredAt,
    alarms,
    collateral: presentValue(collateralOf(row)),
    previous: row.kept?.previous,
    closed: mergeClosed(rows, alarms),
    notJudged: earliestNotJudged(rows.flatMap(({ kept }) => kept?.notJudged ?? [])),
    last: lastScore(row, scorePath),
    error: error && `${error.httpStatus ?? error.code}`,
    labels: () => labelsOf(row, rows, labelColumn),
  };
}

function lastScore({ kept }: Row, scorePath: Path | undefined): WalletFacts['last'] {
  const score = kept?.last && classify(kept.last.document, scorePath).score;
  return score && { score, day: kept?.last?.answeredAt?.slice(0, 10) ?? '' };
}

function labelsOf(row: Row, rows: readonly Row[], labelColumn: string | undefined): WalletLabels {
  const label = labelOf(row.input, labelColumn);
  const labels = new Set(rows.flatMap(({ input }) => labelOf(input, labelColumn) ?? []));
  return { label, also: [...labels].filter((other) => other !== label), columns: inputCells(row.input) };
}

export const removedFacts = ({ label, ...kept }: RemovedWallet): WalletFacts => ({
  ...kept,
  alarms: [],
  labels: () => ({ label, also: [], columns: [] }),
});

/**
 * The first row with an open alarm confirmed on the day, or else with any open alarm, or not
 * judged, or with an excused or watch alarm, or else the first row.
 */
function representativeRow(rows: readonly [Row, ...Row[]], day: string): Row {
  const alarmsOf = ({ kept }: Row) => kept?.alarms ?? [];
  return (
    rows.find((row) => alarmsOf(row).some((alarm) => isOpenAlarm(alarm) && alarm.confirmed === day)) ??
    rows.find((row) => alarmsOf(row).some(isOpenAlarm)) ??
    rows.find(({ kept }) => kept?.notJudged) ??
    rows.find((row) => alarmsOf(row).length > 0) ??
    rows[0]
  );
}

/** An alarm is closed if none of the wallet's rows has it open. */
function mergeClosed(rows: readonly Row[], alarms: readonly Alarm[]): readonly ClosedAlarm[] {
  const byRule = new Map<string, ClosedAlarm>();
  for (const closed of rows.flatMap(({ kept }) => kept?.closed ?? [])) {
    const now = alarms.find(({ rule }) => rule === closed.rule);
    if (now && !now.excused && !isLowered(closed, now)) continue;
    const other = byRule.get(closed.rule);
    const isFirst = !other || CAUSES.indexOf(closed.cause) < CAUSES.indexOf(other.cause);
    if (isFirst) byRule.set(closed.rule, closed);
  }
  return [...byRule.values()];
}

/** The facts that decide the sections, the changes and the news. */
export type ComparedWallet = Omit<WalletFacts, 'labels'>;

/**
 * In the order of the letter. A wallet is in the first section whose test holds, so each test
 * assumes that those before it have failed.
 */
const SECTION_TESTS = {
  new: ({ alarms }) => alarms.some((alarm) => isOpenAlarm(alarm) && alarm.isNew),
  open: ({ alarms }) => alarms.some(isOpenAlarm),
  not_judged: ({ notJudged }) => notJudged !== undefined,
  closed: ({ closed }) => closed.length > 0,
  watch: ({ alarms }) => alarms.some(({ excused }) => !excused),
  excused: ({ alarms }) => alarms.length > 0,
  changed: (wallet) => hasChanged(wallet),
  added: (wallet) => isAdded(wallet),
  removed: (wallet) => isRemoved(wallet),
} satisfies Readonly<Record<string, (wallet: ComparedWallet) => boolean | undefined>>;
export type SectionName = keyof typeof SECTION_TESTS;
export const SECTIONS = Object.keys(SECTION_TESTS) as readonly SectionName[];

export const sectionOf = (wallet: ComparedWallet): SectionName | undefined =>
  SECTIONS.find((name) => SECTION_TESTS[name](wallet));

export function isAdded({ previous, status }: ComparedWallet): boolean {
  return status !== undefined && previous === null;
}

export function isRemoved({ status }: ComparedWallet): boolean {
  return status === undefined;
}

/** Whether today's answer can be judged, and the base's could not. */
export const isJudgedAgain = (wallet: ComparedWallet): boolean =>
  wallet.previous?.notJudged !== undefined && isAnswered(wallet) && !wallet.notJudged;

const isAnswered = ({ status }: ComparedWallet) => status === 'scored' || status === 'no_score';

export const scoreDifference = ({ previous, score }: ComparedWallet): Difference => ({
  old: previous?.score,
  new: score,
});
export const collateralDifference = ({ previous, collateral }: ComparedWallet): Difference => ({
  old: previous?.collateral && presentValue(previous.collateral),
  new: collateral,
});

/** Whether an answer became incomplete: the earlier one had no warning. */
export const becameIncomplete = ({ warning, previous }: ComparedWallet): boolean =>
  warning !== undefined && previous != null && previous.answeredAt !== undefined && previous.warning === undefined;

const differences = (wallet: ComparedWallet) => [scoreDifference(wallet), collateralDifference(wallet)];

/** Whether an answer no longer has a value that the earlier one had. */
export const hasLostValue = (wallet: ComparedWallet): boolean =>
  isAnswered(wallet) && differences(wallet).some(({ old, new: now }) => old && !now);

export const hasGainedValue = (wallet: ComparedWallet): boolean =>
  isAnswered(wallet) && wallet.previous != null && differences(wallet).some(({ old, new: now }) => !old && now);

const share = (spelling: string): Decimal => ({ spelling, double: Number(spelling) });
/**
 * The least changes that are news, or are shown, as shares of the earlier value; from 0, any is.
 */
const SCORE_NEWS = share('0.1');
const COLLATERAL_NEWS = share('0.5');
const COLLATERAL_CHANGED = share('0.2');

/** Whether the score is another one, however little. */
export const hasScoreChange = (wallet: ComparedWallet): boolean => Number(deltaOf(scoreDifference(wallet)) ?? 0) !== 0;
export const hasCollateralChange = (wallet: ComparedWallet): boolean =>
  isChangedBy(COLLATERAL_CHANGED, collateralDifference(wallet));

const hasChanged = (wallet: ComparedWallet): boolean =>
  hasScoreChange(wallet) ||
  hasCollateralChange(wallet) ||
  hasLostValue(wallet) ||
  hasGainedValue(wallet) ||
  becameIncomplete(wallet) ||
  isJudgedAgain(wallet);

/** The change of the score, or else of the collateral, in per cent, without its sign. */
export function changePercent(wallet: ComparedWallet): number {
  const percent = percentOf(hasScoreChange(wallet) ? scoreDifference(wallet) : collateralDifference(wallet));
  return percent === undefined ? Number.POSITIVE_INFINITY : Math.abs(Number(percent));
}

/** An exception is news when, since the base, it has come to have this many days left or fewer. */
const DAYS_BEFORE_END = 7;

/** Whether a wallet is news since the base. */
export function isNews(
  wallet: ComparedWallet,
  { day, baseDay }: { readonly day: string; readonly baseDay: string },
): boolean {
  const { alarms, closed, notJudged } = wallet;
  return (
    closed.length > 0 ||
    alarms.some(({ isNew }) => isNew) ||
    alarms.some((alarm) => endsSoon(alarm, day) && !endsSoon(alarm, baseDay)) ||
    (notJudged !== undefined && notJudged.since > baseDay) ||
    isJudgedAgain(wallet) ||
    isAdded(wallet) ||
    isRemoved(wallet) ||
    becameIncomplete(wallet) ||
    hasLostValue(wallet) ||
    isChangedBy(SCORE_NEWS, scoreDifference(wallet)) ||
    isChangedBy(COLLATERAL_NEWS, collateralDifference(wallet))
  );
}

/** Days from `day` to the last day of an exception; 0 on that day. */
export const daysUntil = (until: string, day: string): number => (timeIn(until) - timeIn(day)) / DAY_MS;

/** Whether the exception that hides an alarm ends soon, seen from a day. */
export const endsSoon = ({ excused }: Pick<Alarm, 'excused'>, day: string): boolean =>
  excused?.until !== undefined && daysUntil(excused.until, day) <= DAYS_BEFORE_END;
