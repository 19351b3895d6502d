/**
 * The content of a review: wallets that need a look, that changed most, that were added, and that could not be judged. Only the
 * first few rows of each kind are kept, so memory is bounded however long the list is.
 */
import { compareDecimals, type Decimal } from '../../row/decimal.ts';
import { findIn, type Row, type Status } from '../../row/row.ts';
import type { Rule } from '../../row/rules.ts';
import { compareSeverity, type Severity, severityOf } from '../../row/worst-first.ts';
import { createTop } from '../../text/top.ts';
import {
  createLook,
  type Found,
  type LevelChange,
  type LookOptions,
  type ReviewRow,
  type Taken,
} from './review-row.ts';

/** Rows kept of each kind; a letter shows fewer. */
export const MAX_KEPT = 1_000;
const MAX_CHANGED = 10;
/** Distinct changes from one level to another that are counted. */
const MAX_TRANSITIONS = 100;

export interface CountedRows<T> {
  readonly count: number;
  readonly rows: readonly T[];
}

export interface Transition extends LevelChange {
  readonly count: number;
  readonly rows: readonly ReviewRow[];
}

export interface ReviewFigures {
  readonly rows: number;
  /** Distinct wallets. */
  readonly wallets: number;
  readonly byStatus: Readonly<Record<Status, number>>;
  /** Worst first. If not all can be kept, newly matched rows are. */
  readonly matched: CountedRows<ReviewRow> & { readonly newly: number };
  /** Largest change of the score first. */
  readonly changed: CountedRows<ReviewRow>;
  readonly transitions: readonly Transition[];
  readonly added: CountedRows<ReviewRow>;
  /** Rows that could be judged before come first. */
  readonly unjudged: CountedRows<ReviewRow> & { readonly newly: number };
  /** Why rows could not be judged, most frequent reason first. */
  readonly reasons: readonly { readonly why: string; readonly count: number }[];
}

/** The result of a review. */
export interface Review {
  readonly list: string;
  readonly journal: string;
  /** Milliseconds since 1970. */
  readonly reviewedAt: number;
  /** Time of the answers it is compared with; undefined if there is nothing to compare with. */
  readonly baseline: number | undefined;
  /** Time it should be compared with; undefined for the first review of a list, including a rerun on the same day. */
  readonly wanted: number | undefined;
  /** When the last complete review of this list ended; undefined for the first one. */
  readonly lastAt: number | undefined;
  readonly hasNews: boolean;
  /** Wallets requested in this run, and wallets answered from the journal. */
  readonly asked: number;
  readonly reused: number;
  readonly figures: ReviewFigures;
  readonly left: CountedRows<{ readonly id: string; readonly label: string | undefined }>;
}

export interface ReviewFiguresOptions extends LookOptions {
  readonly rules: readonly Rule[];
  /** Smaller changes of the score are ignored. */
  readonly minChange: Decimal | undefined;
}

export function createReviewFigures(options: ReviewFiguresOptions) {
  const look = createLook(options);
  const { rules, minChange } = options;
  const byStatus = { scored: 0, no_score: 0, invalid: 0, failed: 0, pending: 0 };
  let [rows, wallets] = [0, 0];
  const matched = createMatched(rules);
  const changed = createTop<Decimal, ReviewRow>(MAX_CHANGED, (a, b) => compareDecimals(b, a));
  const transitions = createTransitions();
  const added = createFirst<ReviewRow>();
  const unjudged = createUnjudged();
  function count({ status }: Row): void {
    rows += 1;
    byStatus[status] += 1;
  }
  return {
    /** Counts a further row of a wallet that was added before. */
    repeat: count,
    add(row: Row, taken: Taken): void {
      count(row);
      if (row.wallet !== undefined) wallets += 1;
      const found = look(row, taken);
      matched.add(row, found);
      if (found.moved && isEnough(found.moved, minChange)) changed.offer(found.moved, found.make);
      transitions.add(found);
      if (taken.isNew) added.add(found.make);
      unjudged.add(found);
    },
    all: (): ReviewFigures => ({
      rows,
      wallets,
      byStatus,
      matched: matched.all(),
      changed: { count: changed.count, rows: changed.all() },
      transitions: transitions.all(),
      added: added.all(),
      ...unjudged.all(),
    }),
  };
}

const isEnough = (size: Decimal, minSize: Decimal | undefined) => !minSize || compareDecimals(size, minSize) >= 0;

/** Counts items and keeps the first few. */
function createFirst<T>() {
  const items: T[] = [];
  let count = 0;
  return {
    add(make: () => T): void {
      count += 1;
      if (items.length < MAX_KEPT) items.push(make());
    },
    all: (): CountedRows<T> => ({ count, rows: items }),
  };
}

/** Rows that rules matched, worst first. */
function createMatched(rules: readonly Rule[]) {
  const createWorst = () => createTop<Severity, ReviewRow>(MAX_KEPT, compareSeverity);
  const [newly, standing] = [createWorst(), createWorst()];
  return {
    add(row: Row, { newlyMatched, make }: Found): void {
      if (!row.matched?.length) return;
      (newlyMatched.length > 0 ? newly : standing).offer(severityOf(row, findIn(row), rules), make);
    },
    all(): ReviewFigures['matched'] {
      // If not all fit, newly matched rows take precedence.
      const room = MAX_KEPT - newly.entries().length;
      const worst = createWorst();
      for (const { key, item } of [...newly.entries(), ...standing.entries().slice(0, room)])
        worst.offer(key, () => item);
      return { count: newly.count + standing.count, newly: newly.count, rows: worst.all() };
    },
  };
}

/** Counts changes from one level to another. */
function createTransitions() {
  const transitions = new Map<string, { change: LevelChange; rows: ReturnType<typeof createFirst<ReviewRow>> }>();
  return {
    add({ levels, make }: Found): void {
      for (const change of levels) {
        const key = [change.field, change.old, change.new].join('\n');
        const known = transitions.get(key);
        if (!known && transitions.size === MAX_TRANSITIONS) continue;
        const transition = known ?? { change, rows: createFirst<ReviewRow>() };
        transitions.set(key, transition);
        transition.rows.add(make);
      }
    },
    /** Most frequent first. */
    all: (): readonly Transition[] =>
      [...transitions.values()]
        .map(({ change, rows }) => ({ ...change, ...rows.all() }))
        .sort((a, b) => b.count - a.count),
  };
}

/** Rows that could not be judged. */
function createUnjudged() {
  const [newly, standing] = [createFirst<ReviewRow>(), createFirst<ReviewRow>()];
  const reasons = new Map<string, number>();
  return {
    add({ why, isNewlyUnjudged, make }: Found): void {
      if (why === undefined) return;
      reasons.set(why, (reasons.get(why) ?? 0) + 1);
      (isNewlyUnjudged ? newly : standing).add(make);
    },
    all(): Pick<ReviewFigures, 'unjudged' | 'reasons'> {
      const [first, others] = [newly.all(), standing.all()];
      const rows = [...first.rows, ...others.rows].slice(0, MAX_KEPT);
      return {
        unjudged: { count: first.count + others.count, newly: first.count, rows },
        reasons: [...reasons].map(([why, count]) => ({ why, count })).sort((a, b) => b.count - a.count),
      };
    },
  };
}

/** Whether it contains anything that no earlier review reported. */
export function hasNews(
  { matched, changed, transitions, added, unjudged }: ReviewFigures,
  others: { readonly left: number; readonly moreInvalid: boolean },
): boolean {
  const news = [matched.newly, changed.count, transitions.length, added.count, unjudged.newly, others.left];
  return others.moreInvalid || news.some((count) => count > 0);
}
