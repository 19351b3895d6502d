/** What has changed of one wallet's values between an earlier review and this one. */
import { type Difference, deltaOf, isChangedBy, percentOf, valueIn } from '../compare/compare.ts';
import type { Decimal } from '../row/decimal.ts';
import type { Row } from '../row/row.ts';
import { textsOf } from '../row/score-texts.ts';
import { collateralOf, isAnswer } from '../runs/run.ts';
import { timeIn, utcDay } from '../text/when.ts';
import type { EarlierReview, EarlierWallet } from './earlier.ts';

const FIFTH: Decimal = { spelling: '0.2', double: 0.2 };

/** A value of which a review says that it was lost or first appeared. */
export type Value = 'score' | 'collateral';

/** A value then and now. */
export interface Change extends Difference {
  /** When the old one was answered, ISO 8601 UTC. */
  readonly oldAt: string | undefined;
  /** `oldAt`, where the old value is from another review and another day than the review compared with. */
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
  readonly isFew: (field: string) => boolean;
  /** Undefined where there is nothing to compare with. */
  readonly earlier: EarlierReview | undefined;
}

/** What has changed of a wallet's values. */
export interface Changes {
  readonly score: ScoreChange;
  readonly collateral: CollateralChange;
  readonly texts: readonly TextChange[];
  /** What the earlier review had, and this one has not. */
  readonly lost: readonly Value[];
  /** What this review has, and none that it is compared with had. */
  readonly appeared: readonly ('answer' | Value)[];
}

/** @param then the earlier rows of the wallet */
export function changesOf(row: Row, then: EarlierWallet | undefined, options: ChangeOptions): Changes {
  const score = change({ old: then?.scored.score, new: row.score }, then && [then.scored, then.own], options);
  const collateral = change(
    { old: then && valueIn(collateralOf(then.valued)), new: valueIn(collateralOf(row)) },
    then && [then.valued, then.own],
    options,
  );
  return {
    score: { ...score, delta: deltaOf(score) },
    collateral: { ...collateral, percent: percentOf(collateral) },
    texts: then ? textChanges(then.scored, row, score.since, options) : [],
    ...(then ? gaps(row, then) : { lost: [], appeared: [] }),
  };
}

/** Of a wallet that has left: what it was. */
export function lastValues(then: EarlierWallet, options: ChangeOptions): Changes {
  const { scored, valued, own } = then;
  const score = change({ old: scored.score, new: undefined }, [scored, own], options);
  const collateral = change({ old: valueIn(collateralOf(valued)), new: undefined }, [valued, own], options);
  return {
    score: { ...score, delta: undefined },
    collateral: { ...collateral, percent: undefined },
    ...{ texts: [], lost: [], appeared: [] },
  };
}

/** Values that are on one side only. A wallet without an answer is not judged, and nothing is said of its values. */
function gaps(row: Row, { own, row: then, scored, valued }: EarlierWallet): Pick<Changes, 'lost' | 'appeared'> {
  if (!isAnswer(row.status)) return { lost: [], appeared: [] };
  if (!isAnswer(then.status)) return { lost: [], appeared: ['answer'] };
  const values: readonly (readonly [Value, Row, (row: Row) => unknown])[] = [
    ['score', scored, ({ score }) => score],
    ['collateral', valued, (one) => valueIn(collateralOf(one))],
  ];
  return {
    lost: values.flatMap(([name, , get]) => (get(own) && !get(row) ? [name] : [])),
    appeared: values.flatMap(([name, before, get]) => (get(row) && !get(before) ? [name] : [])),
  };
}

/** @param rows the one that has the old value, and that of the review compared with */
function change(difference: Difference, rows: readonly [Row, Row] | undefined, { earlier }: ChangeOptions): Change {
  const [from, own] = rows ?? [];
  const oldAt = from?.answeredAt;
  if (from === own || oldAt === undefined) return { ...difference, oldAt, since: undefined };
  const isOfThatDay = utcDay(timeIn(oldAt)) === utcDay(earlier?.file.begun ?? Number.NaN);
  return { ...difference, oldAt, since: isOfThatDay ? undefined : oldAt };
}

function textChanges(
  then: Row,
  now: Row,
  since: string | undefined,
  { isFew, earlier }: ChangeOptions,
): readonly TextChange[] {
  // Without a score on one side its texts say nothing of their own.
  if (!then.score || !now.score) return [];
  const [before, after] = [textsOf(then.document), textsOf(now.document)];
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((field) => {
    const [old, text] = [before.get(field), after.get(field)];
    // A text that a service begins or ceases to send is no change of a wallet.
    const isKnown = isFew(field) && (earlier?.isFew(field) ?? false);
    return old === text || !isKnown ? [] : [{ field, old, new: text, since }];
  });
}

/** Whether the wallet is one of the section of changes. */
export const hasChanged = (facts: Changes): boolean =>
  hasNewTexts(facts) || hasNewScore(facts.score) || hasNewCollateral(facts.collateral);

/** A text has changed, or a value is on one side only. */
export const hasNewTexts = ({ texts, lost, appeared }: Changes): boolean =>
  texts.length + lost.length + appeared.length > 0;

export const hasNewScore = ({ delta }: ScoreChange): boolean => delta !== undefined && Number(delta) !== 0;
export const hasNewCollateral = (collateral: Difference): boolean => isChangedBy(FIFTH, collateral);
