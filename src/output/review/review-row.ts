/** What a review says of one wallet: what it is, what it was, and whether it could be judged. */
import type { Node, ScalarNode } from '../../document/node.ts';
import { memberOf } from '../../document/path.ts';
import { cellText } from '../../document/write.ts';
import { compareDecimals, decimalOf, subtractDecimals } from '../../row/decimal.ts';
import { type Exception, hasEnded } from '../../row/judge.ts';
import { inputCells, labelOf } from '../../row/label.ts';
import type { Excused, Row } from '../../row/row.ts';
import { textsOf } from '../../row/score-texts.ts';
import type { Earlier, EarlierRow } from '../../runs/earlier.ts';
import { utcDay } from '../../text/when.ts';
import type { ReviewRow, RowException, TextChange } from './sections.ts';

export interface RowFacts {
  /** When the review began. */
  readonly begun: number;
  /** When the review began that it is compared with. */
  readonly comparedAt: number | undefined;
  /** The column of the labels. */
  readonly label: string | undefined;
  readonly exceptions: readonly Exception[];
  readonly accept: ReadonlySet<string>;
}

/** @param then what it was in the review that this one is compared with; undefined where it was not in it */
export function reviewRow(row: Row, then: EarlierRow | undefined, facts: RowFacts): ReviewRow {
  const { comparedAt, begun, label, exceptions, accept } = facts;
  const isCompared = comparedAt !== undefined;
  const { matched = [], excused = [] } = row;
  const why = accept.has(row.status) ? undefined : whyOf(row);
  const collateral = collateralOf(row);
  const ended = exceptions.filter(
    (one) => hasEnded(one, begun) && one.id === row.wallet?.toLowerCase() && matched.includes(one.rule),
  );
  return {
    ...nameOf(row, label),
    status: row.status,
    score: {
      ...changeOf(then?.score, row.score, comparedAt),
      delta: deltaOf(then?.score.value, row.score),
    },
    collateral: {
      ...changeOf(then?.collateral, collateral, comparedAt),
      percent: percentOf(then?.collateral.value, collateral),
    },
    texts: then ? textChanges(then.texts, textsOf(row.document), comparedAt) : [],
    matched,
    newly: isCompared ? matched.filter((name) => !then?.matched.includes(name)) : [],
    why,
    isNewlyUnjudged:
      isCompared && why !== undefined && (!then || then.wasJudged || (then.wasAnswered && !row.document)),
    excused: excused.map(exceptionOf),
    ended: ended.map(exceptionOf),
    isNew: isCompared && then === undefined && row.wallet !== undefined,
  };
}

function changeOf<T>(then: Earlier<T> | undefined, now: T, comparedAt: number | undefined) {
  return { old: then?.value, new: now, oldAt: then?.at, since: sinceOf(then, comparedAt) };
}

/** The time of a value that is from another day than the review compared with. */
function sinceOf({ at, isCarried }: Partial<Earlier<unknown>> = {}, comparedAt = Number.NaN): string | undefined {
  return isCarried && at !== undefined && utcDay(Date.parse(at)) !== utcDay(comparedAt) ? at : undefined;
}

const collateralOf = ({ document }: Row) => document && memberOf(document, 'total_collateral_usd');
const numberOf = (node: Node | undefined) => node && decimalOf(node);

const exceptionOf = ({ rule, reason, until }: Exception | Excused): RowException => ({ rule, reason, until });

/** A wallet that has left, with what it was; `matched` are the rules that ask for that. */
export function leftRow(row: Row, label: string | undefined, matched: readonly string[]): ReviewRow {
  return {
    ...nameOf(row, label),
    line: undefined,
    status: undefined,
    score: { old: row.score, new: undefined, delta: undefined, oldAt: row.answeredAt, since: undefined },
    collateral: {
      old: collateralOf(row),
      new: undefined,
      percent: undefined,
      oldAt: row.answeredAt,
      since: undefined,
    },
    texts: [],
    matched,
    newly: matched,
    why: undefined,
    isNewlyUnjudged: false,
    excused: [],
    ended: [],
    isNew: false,
  };
}

function nameOf(row: Row, label: string | undefined): Pick<ReviewRow, 'label' | 'wallet' | 'line' | 'columns'> {
  const cells = inputCells(row.input).filter(
    ([name, text]) => name !== label && text.toLowerCase() !== row.wallet?.toLowerCase(),
  );
  return { label: labelOf(row.input, label), wallet: row.wallet, line: row.line, columns: cells };
}

/** Why a row could not be judged; undefined when it could. */
function whyOf({ status, error, unjudged = [] }: Row): string | undefined {
  if (error) return error.message;
  if (status === 'no_score') return 'it has no score';
  if (status !== 'scored') return 'it has no answer';
  return unjudged.length > 0 ? `no value for ${unjudged.join(', ')}` : undefined;
}

export const hasChanged = (row: Row, then: EarlierRow): boolean =>
  row.status !== then.status ||
  !isSame(row.score, then.score.value) ||
  !isSame(collateralOf(row), then.collateral.value);

/** Whether there is nothing to say of a row: of most there is not. */
export function isPlain(row: Row, then: EarlierRow, accept: ReadonlySet<string>): boolean {
  if (row.matched?.length || row.excused?.length || hasChanged(row, then)) return false;
  if (!accept.has(row.status) && whyOf(row) !== undefined) return false;
  return textChanges(then.texts, textsOf(row.document), undefined).length === 0;
}

function isSame(one: Node | undefined, other: Node | undefined): boolean {
  const [a, b] = [numberOf(one), numberOf(other)];
  return a && b ? compareDecimals(a, b) === 0 : cellText(one) === cellText(other);
}

function deltaOf(old: ScalarNode | undefined, now: ScalarNode | undefined): string | undefined {
  const [from, to] = [numberOf(old), numberOf(now)];
  return from && to && subtractDecimals(to, from);
}

function textChanges(
  then: EarlierRow['texts'],
  now: ReadonlyMap<string, string>,
  comparedAt: number | undefined,
): readonly TextChange[] {
  const since = sinceOf(then, comparedAt);
  return [...now].flatMap(([field, text]) => {
    const before = then.value.get(field);
    return before === undefined || before === text ? [] : [{ field, old: before, new: text, since }];
  });
}

/** By how many per cent, to a tenth; of 0 nothing can be said. */
function percentOf(old: Node | undefined, now: Node | undefined): string | undefined {
  const [from, to] = [Number(cellText(old) || Number.NaN), Number(cellText(now) || Number.NaN)];
  const percent = ((to - from) / Math.abs(from)) * 100;
  return Number.isFinite(percent) ? percent.toFixed(1) : undefined;
}
