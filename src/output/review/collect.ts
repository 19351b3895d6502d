/** Collects the sections of a review, row by row: each wallet is in the first section that it belongs to. */
import type { Node, ScalarNode } from '../../document/node.ts';
import { memberOf } from '../../document/path.ts';
import { cellText } from '../../document/write.ts';
import { type Compared, findChange, NOT_COMPARED } from '../../row/change.ts';
import { compareDecimals, type Decimal, decimalOf, parseDecimal, subtractDecimals } from '../../row/decimal.ts';
import { inputCells, labelOf } from '../../row/label.ts';
import type { Exception } from '../../row/matches.ts';
import { findIn, inputNode, type Row } from '../../row/row.ts';
import type { Rule } from '../../row/rules.ts';
import { compareSeverity, type Severity, severityOf } from '../../row/worst-first.ts';
import { type EarlierRow, keyOf, textsOf, unpack } from '../../runs/earlier.ts';
import { ownCopy } from '../../text/own-copy.ts';
import { createTop } from '../../text/top.ts';
import { DAY_MS } from '../../text/when.ts';
import { createChanges, isBy } from './changes.ts';
import {
  MAX_ROWS,
  type ReviewRow,
  type ReviewSections,
  type RowException,
  type Section,
  type TextChange,
} from './sections.ts';

export interface CollectOptions
  extends Pick<
    ReviewSections,
    'list' | 'policy' | 'begun' | 'environment' | 'baseUrl' | 'comparedWith' | 'hasUnjudgedChanges'
  > {
  readonly rules: readonly (Rule & { readonly line: string })[];
  readonly exceptions: readonly Exception[];
  readonly accept: ReadonlySet<string>;
  /** The column of the labels, and that of the wallets. */
  readonly label: string | undefined;
  /** The rows that it is compared with, by `keyOf`; those that were met are taken out. Undefined where nothing is compared. */
  readonly earlier: Map<string, string> | undefined;
}

const MET = '';
const DAYS_BEFORE_END = 7;

export function createSections(options: CollectOptions) {
  const { rules, accept, earlier, exceptions, label, begun } = options;
  const byStatus = { scored: 0, no_score: 0, invalid: 0, failed: 0, pending: 0 };
  const met = new Set<string>();
  const tally = new Map(rules.map(({ name }) => [name, { matched: 0, newly: 0, unjudged: 0, excused: 0 }]));
  const lookAt = createTop<readonly [Severity, Decimal | undefined], ReviewRow>(MAX_ROWS, compareWorst);
  const [notJudged, excused, came, left] = [createFirst(), createFirst(), createFirst(), createFirst()];
  const changes = createChanges();
  /** The row that was last compared: it is added next. */
  let last: { readonly key: string; readonly then: EarlierRow } | undefined;
  let [rows, wallets, newly, newlyUnjudged, hasNews] = [0, 0, 0, 0, false];

  function count(row: Row): boolean {
    rows += 1;
    byStatus[row.status] += 1;
    const key = rowKey(row);
    const before = earlier?.get(key);
    if (before === MET || met.has(key)) return false;
    if (before === undefined) met.add(ownCopy(key));
    if (row.wallet !== undefined) wallets += 1;
    return true;
  }

  function tell(row: ReviewRow): void {
    for (const name of row.matched) add(name, 'matched');
    for (const name of row.newly) add(name, 'newly');
    for (const { rule } of row.excused) add(rule, 'excused');
  }
  function add(name: string, what: 'matched' | 'newly' | 'unjudged' | 'excused'): void {
    const counts = tally.get(name);
    if (counts) counts[what] += 1;
  }

  return {
    /** What conditions on change compare the row with. To be called before `add`. */
    compared(row: Row): Compared {
      const key = rowKey(row);
      const before = earlier?.get(key);
      if (!earlier || before === MET) return NOT_COMPARED;
      if (before === undefined) return { change: 'added', old: undefined };
      const then = unpack(before);
      last = { key, then };
      return { change: hasChanged(row, then) ? 'changed' : 'same', old: then.old };
    },
    /** Adds a row that was judged. */
    add(row: Row): void {
      const key = rowKey(row);
      const text = earlier?.get(key);
      if (!count(row)) return;
      const then = text === undefined ? undefined : last?.key === key ? last.then : unpack(text);
      if (text !== undefined) earlier?.set(key, MET);
      const isNew = earlier !== undefined && then === undefined && row.wallet !== undefined;
      changes.observe(row);
      if (then && isPlain(row, then, accept)) return;
      const found = reviewRow(row, then, {
        isCompared: earlier !== undefined,
        isNew,
        label,
        exceptions,
        rules,
        accept,
      });
      tell(found);
      for (const name of row.unjudged ?? []) add(name, 'unjudged');
      if (found.newly.length > 0 || isNew || found.isNewlyUnjudged || isNewsOf(found))
        hasNews ||= earlier !== undefined;
      if (found.matched.length > 0) {
        if (found.newly.length > 0) newly += 1;
        const find = findChange(findIn(row), then ? { change: 'changed', old: then.old } : NOT_COMPARED);
        lookAt.offer([severityOf(row, find, rules), numberOf(found.collateral.new)], () => found);
        changes.note(found, false);
      } else if (found.why !== undefined) {
        if (found.isNewlyUnjudged) newlyUnjudged += 1;
        notJudged.add(found, found.isNewlyUnjudged);
      } else if (found.excused.length > 0) {
        excused.add(found);
        changes.note(found, false);
      } else if (isNew) came.add(found);
      else changes.note(found, true);
    },
    /** Wallets of the earlier review that were not met. To be called when all rows were added. */
    leavers(): ReadonlySet<string> {
      const keys = [...(earlier ?? [])].flatMap(([key, text]) => (text === MET || key.startsWith('!') ? [] : [key]));
      return new Set(keys);
    },
    /** Adds a wallet that has left; `matched` are the rules that ask for that. */
    left(row: Row, matched: readonly string[]): void {
      hasNews = true;
      const found: ReviewRow = { ...leftRow(row, label), matched, newly: matched };
      tell(found);
      if (matched.length === 0) {
        left.add(found);
        return;
      }
      newly += 1;
      lookAt.offer([severityOf({ matched }, findIn(row), rules), numberOf(found.collateral.old)], () => found);
    },
    end(): ReviewSections {
      const ending = endingOf(options);
      const changed = changes.all();
      const hasEnding = ending.some(({ isNews }) => isNews);
      return {
        list: options.list,
        policy: options.policy,
        begun,
        environment: options.environment,
        baseUrl: options.baseUrl,
        comparedWith: options.comparedWith,
        hasUnjudgedChanges: options.hasUnjudgedChanges,
        rows,
        wallets,
        byStatus,
        rules: rules.map(({ name, line, note }) => ({
          name,
          condition: line,
          note,
          ...(tally.get(name) ?? { matched: 0, newly: 0, unjudged: 0, excused: 0 }),
        })),
        news: earlier === undefined || hasNews || changed.isNews || hasEnding,
        lookAt: { total: lookAt.count, newly, rows: lookAt.all() },
        notJudged: { ...notJudged.all(), newly: newlyUnjudged },
        excused: excused.all(),
        changed: changed.section,
        came: came.all(),
        left: left.all(),
        ending: ending.map(({ isNews: _, ...one }) => one),
      };
    },
  };
}

const rowKey = (row: Row) => keyOf(row.wallet, () => inputNode(row.input));
const numberOf = (node: Node | undefined) => node && decimalOf(node);

/** Worst first by what the rule is about, then by collateral. */
function compareWorst(
  a: readonly [Severity, Decimal | undefined],
  b: readonly [Severity, Decimal | undefined],
): number {
  const order = compareSeverity(a[0], b[0]);
  if (order !== 0) return order;
  if (!a[1] || !b[1]) return Number(!a[1]) - Number(!b[1]);
  return compareDecimals(b[1], a[1]);
}

/** Counts rows and keeps the first MAX_ROWS; those that are `first` before the others. */
function createFirst() {
  const [first, others]: [ReviewRow[], ReviewRow[]] = [[], []];
  let total = 0;
  return {
    add(row: ReviewRow, isFirst = false): void {
      total += 1;
      const rows = isFirst ? first : others;
      if (rows.length < MAX_ROWS) rows.push(row);
    },
    all: (): Section => ({ total, rows: [...first, ...others].slice(0, MAX_ROWS) }),
  };
}

interface RowFacts extends Pick<CollectOptions, 'label' | 'exceptions' | 'accept'> {
  readonly isCompared: boolean;
  readonly isNew: boolean;
  readonly rules: readonly Rule[];
}

function reviewRow(row: Row, then: EarlierRow | undefined, facts: RowFacts): ReviewRow {
  const { isCompared, isNew, label, exceptions, accept } = facts;
  const matched = row.matched ?? [];
  const why = accept.has(row.status) ? undefined : whyOf(row);
  const collateral = row.document && memberOf(row.document, 'total_collateral_usd');
  const own = exceptions.filter(({ id, isExpired }) => isExpired && id === row.wallet?.toLowerCase());
  return {
    ...nameOf(row, label),
    status: row.status,
    score: {
      old: then?.score,
      new: row.score,
      delta: deltaOf(then?.score, row.score),
      oldAt: then?.scoreAt,
      isOlder: then?.isOlder ?? false,
    },
    collateral: { old: then?.collateral, new: collateral, percent: percentOf(then?.collateral, collateral) },
    texts: then ? textChanges(then.texts, textsOf(row.document)) : [],
    matched,
    newly: isCompared ? matched.filter((name) => !then?.matched.includes(name)) : [],
    why,
    isNewlyUnjudged: isCompared && why !== undefined && (then === undefined || then.wasJudged),
    excused: (row.excused ?? []).map(({ rule, reason, until }) => ({ rule, reason, until })),
    ended: own.filter(({ rule }) => matched.includes(rule)).map(exceptionOf),
    isNew,
  };
}

const exceptionOf = ({ rule, reason, until }: Exception): RowException => ({ rule, reason, until });

/** A wallet that was there, with what it was. */
function leftRow(row: Row, label: string | undefined): ReviewRow {
  const collateral = row.document && memberOf(row.document, 'total_collateral_usd');
  return {
    ...nameOf(row, label),
    line: undefined,
    status: undefined,
    score: { old: row.score, new: undefined, delta: undefined, oldAt: row.answeredAt, isOlder: false },
    collateral: { old: collateral, new: undefined, percent: undefined },
    texts: [],
    matched: [],
    newly: [],
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

function hasChanged(row: Row, then: EarlierRow): boolean {
  const collateral = row.document && memberOf(row.document, 'total_collateral_usd');
  return row.status !== then.status || !isSame(row.score, then.score) || !isSame(collateral, then.collateral);
}

/** Whether there is nothing to say of a row: of most there is not. */
function isPlain(row: Row, then: EarlierRow, accept: ReadonlySet<string>): boolean {
  if (row.matched?.length || row.excused?.length || hasChanged(row, then)) return false;
  if (!accept.has(row.status) && whyOf(row) !== undefined) return false;
  return textChanges(then.texts, textsOf(row.document)).length === 0;
}

function isSame(one: Node | undefined, other: Node | undefined): boolean {
  const [a, b] = [numberOf(one), numberOf(other)];
  return a && b ? compareDecimals(a, b) === 0 : cellText(one) === cellText(other);
}

function deltaOf(old: ScalarNode | undefined, now: ScalarNode | undefined): string | undefined {
  const [from, to] = [numberOf(old), numberOf(now)];
  return from && to && subtractDecimals(to, from);
}

function textChanges(old: ReadonlyMap<string, string>, now: ReadonlyMap<string, string>): readonly TextChange[] {
  return [...now].flatMap(([field, text]) => {
    const before = old.get(field);
    return before === undefined || before === text ? [] : [{ field, old: before, new: text }];
  });
}

/** By how many per cent, to a tenth; of 0 nothing can be said. */
function percentOf(old: Node | undefined, now: Node | undefined): string | undefined {
  const [from, to] = [Number(cellText(old) || Number.NaN), Number(cellText(now) || Number.NaN)];
  const percent = ((to - from) / Math.abs(from)) * 100;
  return Number.isFinite(percent) ? percent.toFixed(1) : undefined;
}

const [HALF, TENTH] = [parseDecimal('0.5'), parseDecimal('0.1')];

/** Whether a change of score or collateral is news: by a tenth, or by a half. */
const isNewsOf = ({ score, collateral }: ReviewRow): boolean =>
  isBy(score.old, score.new, TENTH) || isBy(collateral.old, collateral.new, HALF);

/** Exceptions that end within days, or have ended since the review that this one is compared with; days are UTC days. */
function endingOf({ exceptions, begun, comparedWith }: CollectOptions) {
  const day = (at: number) => Math.floor(at / DAY_MS);
  const since = comparedWith.kind === 'review' ? comparedWith.begun : undefined;
  return exceptions.flatMap(({ wallet, rule, reason, until, endsAt }) => {
    if (endsAt === undefined) return [];
    const daysLeft = day(endsAt) - 1 - day(begun);
    const hasEnded = daysLeft < 0;
    if (daysLeft > DAYS_BEFORE_END || (hasEnded && (since === undefined || endsAt <= since))) return [];
    const wasTold = since !== undefined && !hasEnded && day(endsAt) - 1 - day(since) <= DAYS_BEFORE_END;
    return [{ wallet, rule, reason, until, hasEnded, isNews: !wasTold }];
  });
}
