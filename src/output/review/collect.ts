/** Collects the sections of a review, row by row: each wallet is in the first section that it belongs to. */
import { asksForChange, type Compared, findChange, NOT_COMPARED } from '../../row/change.ts';
import { compareDecimals, type Decimal, decimalOf, parseDecimal } from '../../row/decimal.ts';
import type { Exception } from '../../row/judge.ts';
import { labelOf } from '../../row/label.ts';
import { findIn, inputNode, type Row } from '../../row/row.ts';
import { expressionLine } from '../../row/rules.ts';
import { compareSeverity, type Severity, severityOf } from '../../row/worst-first.ts';
import { type EarlierRow, keyOf, unpack } from '../../runs/earlier.ts';
import type { ReviewHeader } from '../../runs/kept-review.ts';
import { ownCopy } from '../../text/own-copy.ts';
import { createTop } from '../../text/top.ts';
import { utcDay } from '../../text/when.ts';
import { createChanges, isBy } from './changes.ts';
import { hasChanged, isPlain, leftRow, reviewRow } from './review-row.ts';
import { type ComparedWith, MAX_ROWS, type ReviewRow, type ReviewSections, type Section } from './sections.ts';

export interface CollectOptions {
  /** Of the review that is told. */
  readonly header: ReviewHeader;
  readonly comparedWith: ComparedWith;
  /** The rows that it is compared with, by `keyOf`; those that were met are taken out. Undefined where nothing is compared. */
  readonly earlier: Map<string, string> | undefined;
}

const MET = '';
const DAYS_BEFORE_END = 7;

export function createSections({ header, comparedWith, earlier }: CollectOptions) {
  const { list, policy, begun, environment, baseUrl, rules, exceptions = [], labelColumn: label } = header;
  const accept = new Set(header.accept);
  const byStatus = { scored: 0, no_score: 0, invalid: 0, failed: 0, pending: 0 };
  const met = new Set<string>();
  const tally = new Map(rules.map(({ name }) => [name, { matched: 0, newly: 0, unjudged: 0, excused: 0 }]));
  const lookAt = createTop<readonly [Severity, Decimal | undefined], ReviewRow>(MAX_ROWS, compareWorst);
  const [notJudged, excused, came, left] = [createFirst(), createFirst(), createFirst(), createFirst()];
  /** The labels of wallets that have exceptions, by their ids. */
  const labels = new Map<string, string | undefined>(exceptions.map(({ id }) => [id, undefined]));
  const changes = createChanges();
  const comparedAt = comparedWith.kind === 'review' ? comparedWith.begun : undefined;
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
      if (labels.has(key)) labels.set(key, labelOf(row.input, label));
      changes.observe(row);
      if (then && isPlain(row, then, accept)) return;
      const found = reviewRow(row, then, { comparedAt, begun, label, exceptions, accept });
      tell(found);
      for (const name of row.unjudged ?? []) add(name, 'unjudged');
      hasNews ||= isNewsOf(found);
      if (found.matched.length > 0) {
        if (found.newly.length > 0) newly += 1;
        const find = findChange(findIn(row), then ? { change: 'changed', old: then.old } : NOT_COMPARED);
        lookAt.offer(
          [severityOf(row, find, rules), found.collateral.new && decimalOf(found.collateral.new)],
          () => found,
        );
        changes.note(found, false);
      } else if (found.why !== undefined) {
        if (found.isNewlyUnjudged) newlyUnjudged += 1;
        notJudged.add(found, found.isNewlyUnjudged);
      } else if (found.excused.length > 0) {
        excused.add(found);
        changes.note(found, false);
      } else if (found.isNew) came.add(found);
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
      const found = leftRow(row, label, matched);
      tell(found);
      if (matched.length === 0) {
        left.add(found);
        return;
      }
      newly += 1;
      lookAt.offer(
        [severityOf({ matched }, findIn(row), rules), found.collateral.old && decimalOf(found.collateral.old)],
        () => found,
      );
    },
    end(): ReviewSections {
      const ending = endingOf(exceptions, { begun, comparedWith });
      const changed = changes.all();
      const hasEnding = ending.some(({ isNews }) => isNews);
      return {
        list,
        policy,
        begun,
        environment,
        baseUrl,
        comparedWith,
        hasUnjudgedChanges: earlier === undefined && asksForChange(rules.map(({ when }) => when)),
        rows,
        wallets,
        byStatus,
        rules: rules.map(({ name, when, note }) => ({
          name,
          condition: expressionLine(when),
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
        ending: ending.map(({ isNews: _, id, ...one }) => ({ ...one, label: labels.get(id) })),
      };
    },
  };
}

const rowKey = (row: Row) => keyOf(row.wallet, () => inputNode(row.input));

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

const [HALF, TENTH] = [parseDecimal('0.5'), parseDecimal('0.1')];

/** Whether a row is news; where nothing was compared none is. A change is by a tenth of the score, or half of the collateral. */
const isNewsOf = ({ newly, isNew, isNewlyUnjudged, score, collateral }: ReviewRow): boolean =>
  newly.length > 0 ||
  isNew ||
  isNewlyUnjudged ||
  isBy(score.old, score.new, TENTH) ||
  isBy(collateral.old, collateral.new, HALF);

/** Exceptions that end within days, or have ended since the review that this one is compared with; days are UTC days. */
function endingOf(
  exceptions: readonly Exception[],
  { begun, comparedWith }: Pick<ReviewSections, 'begun' | 'comparedWith'>,
) {
  const since = comparedWith.kind === 'review' ? comparedWith.begun : undefined;
  return exceptions.flatMap(({ id, wallet, rule, reason, until, endsAt }) => {
    if (endsAt === undefined) return [];
    const daysLeft = utcDay(endsAt) - 1 - utcDay(begun);
    const hasEnded = daysLeft < 0;
    if (daysLeft > DAYS_BEFORE_END || (hasEnded && (since === undefined || endsAt <= since))) return [];
    const wasTold = since !== undefined && !hasEnded && utcDay(endsAt) - 1 - utcDay(since) <= DAYS_BEFORE_END;
    return [{ id, wallet, rule, reason, until, hasEnded, isNews: !wasTold }];
  });
}
