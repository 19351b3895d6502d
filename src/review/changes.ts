/** What has changed of one wallet's values between an earlier review and this one. */
import { type Difference, deltaOf, isChangedBy, percentOf, presentValue, sizeOfChange } from '../compare/compare.ts';
import { compareDecimals, type Decimal, ZERO } from '../row/decimal.ts';
import type { Row } from '../row/row.ts';
import { textsOf } from '../row/score-texts.ts';
import { collateralOf, isAnswer } from '../runs/run.ts';
import { timeIn, utcDay } from '../text/when.ts';
import { type EarlierReview, type EarlierRow, type EarlierValue, type EarlierWallet, HAS } from './earlier.ts';

/** A value then and now. */
export interface Change extends Difference {
  /** When the old one was answered, ISO 8601 UTC. */
  readonly oldAt: string | undefined;
  /**
   * `oldAt`, where the old value is from another review and another day than the review compared
   * with.
   */
  readonly since: string | undefined;
}

export interface ScoreChange extends Change {
  /** New less old, exactly; undefined unless both are numbers. */
  readonly delta: string | undefined;
}

export interface CollateralChange extends Change {
  /** By how many per cent it changed: `-99.5`; undefined where that cannot be said. */
  readonly percent: string | undefined;
}

/** A text directly in `defi_score` that was another one, or is on one side only. */
export interface TextChange {
  readonly field: string;
  readonly old: string | undefined;
  readonly new: string | undefined;
  /** As of a score. */
  readonly since: string | undefined;
}

/** What is the same for all wallets of a review. */
export interface ChangeOptions {
  /** Whether a text of the score has so few values that a change of it is of interest. */
  readonly hasFewValues: (field: string) => boolean;
  /** Undefined where there is nothing to compare with. */
  readonly earlier: EarlierReview | undefined;
}

/** What has changed of a wallet's values. */
export interface Changes {
  readonly score: ScoreChange;
  readonly collateral: CollateralChange;
  readonly texts: readonly TextChange[];
  /** What the earlier review had, and this one has not. */
  readonly lost: readonly EarlierValue[];
  /** What this review has, and none that it is compared with had. */
  readonly appeared: readonly EarlierValue[];
}

/** @param row undefined for a wallet that has left @param before undefined for one that came */
export function changesOf(row: Row | undefined, before: EarlierWallet | undefined, options: ChangeOptions): Changes {
  const score = { old: before?.score.row.score, new: row?.score };
  const collateral = {
    old: before && presentValue(collateralOf(before.collateral.row)),
    new: row && presentValue(collateralOf(row)),
  };
  const { lost, appeared } = row && before ? lostAndAppeared(row, before) : NOTHING_LOST;
  return {
    score: { ...score, ...dateOf(before?.score, options), delta: deltaOf(score) },
    collateral: { ...collateral, ...dateOf(before?.collateral, options), percent: percentOf(collateral) },
    texts: row && before ? textChanges(row, before.score, options) : [],
    lost,
    appeared,
  };
}

const NOTHING_LOST: Pick<Changes, 'lost' | 'appeared'> = { lost: [], appeared: [] };

/**
 * Values that are on one side only. A wallet without an answer is not judged, and nothing is said
 * of its values.
 */
function lostAndAppeared(row: Row, before: EarlierWallet): Pick<Changes, 'lost' | 'appeared'> {
  if (!isAnswer(row.status)) return NOTHING_LOST;
  if (!isAnswer(before.answer.row.status)) return { lost: [], appeared: ['answer'] };
  const values = ['score', 'collateral'] as const;
  return {
    lost: values.filter((value) => HAS[value](before.own) && !HAS[value](row)),
    appeared: values.filter((value) => HAS[value](row) && !HAS[value](before[value].row)),
  };
}

/** When an old value was answered. */
function dateOf(from: EarlierRow | undefined, { earlier }: ChangeOptions): Pick<Change, 'oldAt' | 'since'> {
  const oldAt = from?.row.answeredAt;
  if (!earlier || !from?.isCarried || oldAt === undefined) return { oldAt, since: undefined };
  const isOfThatDay = utcDay(timeIn(oldAt)) === utcDay(earlier.file.begun);
  return { oldAt, since: isOfThatDay ? undefined : oldAt };
}

function textChanges(row: Row, before: EarlierRow, options: ChangeOptions): readonly TextChange[] {
  // Without a score on one side its texts say nothing of their own.
  if (!before.row.score || !row.score) return [];
  const { hasFewValues, earlier } = options;
  const [earlierTexts, texts] = [textsOf(before.row.document), textsOf(row.document)];
  const { since } = dateOf(before, options);
  return [...new Set([...earlierTexts.keys(), ...texts.keys()])].flatMap((field) => {
    const [old, text] = [earlierTexts.get(field), texts.get(field)];
    const hasFew = hasFewValues(field) && (earlier?.hasFewValues(field) ?? false);
    return old === text || !hasFew ? [] : [{ field, old, new: text, since }];
  });
}

const part = (spelling: string): Decimal => ({ spelling, double: Number(spelling) });
const [TENTH, FIFTH, HALF] = [part('0.1'), part('0.2'), part('0.5')];

/** Whether the wallet is one of the section of changes. */
export const hasChanged = (changes: Changes): boolean =>
  hasChangeOfKind(changes) || hasScoreChange(changes.score) || hasCollateralChange(changes.collateral);

/** Whether its changes are news. */
export const hasNewsworthyChange = (changes: Changes): boolean =>
  hasChangeOfKind(changes) || isChangedBy(TENTH, changes.score) || isChangedBy(HALF, changes.collateral);

/** Whether a text has changed, or a value is on one side only. */
const hasChangeOfKind = ({ texts, lost, appeared }: Changes): boolean =>
  texts.length + lost.length + appeared.length > 0;

export const hasScoreChange = ({ delta }: ScoreChange): boolean => delta !== undefined && Number(delta) !== 0;
export const hasCollateralChange = (collateral: Difference): boolean => isChangedBy(FIFTH, collateral);

/**
 * How much has changed: a change of kind, or else how far the score moved, or else how far the
 * collateral did, in per cent.
 */
export interface ChangeSize {
  readonly rank: number;
  readonly amount: Decimal;
}

export function sizeOfChanges(changes: Changes): ChangeSize {
  const { score, collateral } = changes;
  if (hasChangeOfKind(changes)) return { rank: 0, amount: ZERO };
  if (hasScoreChange(score)) return { rank: 1, amount: sizeOfChange(score) ?? ZERO };
  const percent = hasCollateralChange(collateral) ? Math.abs(Number(collateral.percent ?? Number.MAX_VALUE)) : 0;
  return { rank: 2, amount: part(String(percent)) };
}

export const largestFirst = (a: ChangeSize, b: ChangeSize): number =>
  a.rank - b.rank || compareDecimals(b.amount, a.amount);
