/**
 * What a review says of a list: who needs a look, who changed the most, who came and went, and of whom nothing is known. Rows are
 * taken as they come, and of each kind only the first few are kept, so that memory is bounded however long the list is.
 */
import type { ObjectNode, ScalarNode } from '../../document/node.ts';
import { formatPath, memberOf, type Path } from '../../document/path.ts';
import { compareDecimals, type Decimal, decimalOf, subtractDecimals } from '../../row/decimal.ts';
import { findIn, type Row, type Status } from '../../row/row.ts';
import type { Rule } from '../../row/rules.ts';
import { compareSeverity, type Severity, severityOf } from '../../row/worst-first.ts';
import { ownCopy } from '../../text/own-copy.ts';
import { createTop, type Top } from '../../text/top.ts';
import { levelAt } from './levels.ts';

/** Rows of a kind that are kept; a letter shows fewer. */
export const MAX_KEPT = 1_000;
export const MAX_CHANGED = 10;
/** Changes from one level to another that are told apart, and wallets that are named for each. */
const MAX_TRANSITIONS = 100;

/** What is known of a wallet from earlier: its last answer with a score. */
export interface Before {
  readonly document: ObjectNode;
  readonly score: ScalarNode;
  /** When it came, milliseconds since 1970. */
  readonly answeredAt: number;
  /** Whether nothing worse had come after it by then. */
  readonly isCurrent: boolean;
  /** What the rules say of it. Most rows match nothing, and need not know. */
  readonly judged: () => Pick<Row, 'matched' | 'unjudged'>;
}

export interface LevelChange {
  /** The path of the field. */
  readonly field: string;
  readonly old: string;
  readonly new: string;
}

/** A row as a review tells it. */
export interface ReviewRow {
  /** As the answer spells it, else the list; of what is no wallet nothing. */
  readonly wallet: string | undefined;
  readonly line: number;
  readonly label: string | undefined;
  readonly status: Status;
  readonly score: ScalarNode | undefined;
  readonly collateral: ScalarNode | undefined;
  /** The score that it is compared with, and when that was answered; undefined where there is none. */
  readonly old: { readonly score: ScalarNode; readonly answeredAt: number; readonly isCurrent: boolean } | undefined;
  /** By how much the score rose, exactly. */
  readonly change: string | undefined;
  readonly levels: readonly LevelChange[];
  readonly isNew: boolean;
  /** The rules that it matches, and those of them that it did not match before. */
  readonly matched: readonly string[];
  readonly newlyMatched: readonly string[];
  /** Why nothing can be said of it; undefined where something can. */
  readonly why: string | undefined;
  /** Whether that was otherwise before. */
  readonly isNewlyUnjudged: boolean;
}

export interface Kept<T> {
  readonly count: number;
  readonly rows: readonly T[];
}

export interface Transition extends LevelChange {
  readonly count: number;
  readonly rows: readonly ReviewRow[];
}

export interface ReviewFigures {
  readonly rows: number;
  /** Each once, however many rows have it. */
  readonly wallets: number;
  readonly byStatus: Readonly<Record<Status, number>>;
  /** The worst first; those of them that are new to it, where not all are kept. */
  readonly matched: Kept<ReviewRow> & { readonly newly: number };
  /** The largest change of the score first. */
  readonly changed: Kept<ReviewRow>;
  readonly transitions: readonly Transition[];
  readonly added: Kept<ReviewRow>;
  /** Those of which something was known before come first. */
  readonly unjudged: Kept<ReviewRow> & { readonly newly: number };
  /** How many could not be judged for what reason, the most frequent first. */
  readonly reasons: readonly { readonly why: string; readonly count: number }[];
}

interface Taken {
  readonly label: string | undefined;
  readonly isNew: boolean;
  readonly before: Before | undefined;
  /** Whether there was anything that it could have been compared with. */
  readonly isCompared: boolean;
}

export interface ReviewFiguresOptions {
  readonly rules: readonly Rule[];
  /** Whether rules or exceptions are other ones than before: whatever matches, matches newly. */
  readonly hasNewRules: boolean;
  /** Rows of these statuses are no concern of anybody. */
  readonly accept: ReadonlySet<Status>;
  /** The least change of the score that counts. */
  readonly minChange: Decimal | undefined;
  readonly levels: readonly Path[];
}

export function createReviewFigures({ rules, hasNewRules, accept, minChange, levels }: ReviewFiguresOptions) {
  const byStatus = { scored: 0, no_score: 0, invalid: 0, failed: 0, pending: 0 };
  let [rows, wallets] = [0, 0];
  const matched = {
    newly: createTop<Severity, ReviewRow>(MAX_KEPT, compareSeverity),
    standing: createTop(MAX_KEPT, compareSeverity) as Top<Severity, ReviewRow>,
  };
  const changed = createTop<Decimal, ReviewRow>(MAX_CHANGED, (a, b) => compareDecimals(b, a));
  const transitions = new Map<string, { change: LevelChange; rows: ReturnType<typeof createFirst<ReviewRow>> }>();
  const added = createFirst<ReviewRow>();
  const unjudged = { newly: createFirst<ReviewRow>(), standing: createFirst<ReviewRow>() };
  const reasons = new Map<string, number>();
  const levelNames = levels.map(formatPath);

  function changesOf({ document }: Row, before: Before | undefined): readonly LevelChange[] {
    if (!document || !before || document === before.document) return [];
    return levels.flatMap((path, i) => {
      const [was, is] = [levelAt(before.document, path), levelAt(document, path)];
      return was === undefined || is === undefined || was === is
        ? []
        : [{ field: levelNames[i] ?? '', old: ownCopy(was), new: ownCopy(is) }];
    });
  }

  function noteTransitions(changes: readonly LevelChange[], make: () => ReviewRow): void {
    for (const change of changes) {
      const key = [change.field, change.old, change.new].join('\n');
      const known = transitions.get(key);
      if (!known && transitions.size === MAX_TRANSITIONS) continue;
      const transition = known ?? { change, rows: createFirst<ReviewRow>() };
      transitions.set(key, transition);
      transition.rows.add(make);
    }
  }

  return {
    /** Takes a row of a wallet that came before: it counts as a row, and no more. */
    repeat(row: Row): void {
      rows += 1;
      byStatus[row.status] += 1;
    },
    add(row: Row, { label, isNew, before, isCompared }: Taken): void {
      rows += 1;
      byStatus[row.status] += 1;
      if (row.wallet !== undefined) wallets += 1;
      const why = accept.has(row.status) ? undefined : reasonOf(row);
      const delta = deltaOf(row, before);
      const levelChanges = [...(isCompared && !isNew ? backAgain(row, before) : []), ...changesOf(row, before)];
      const names = row.matched ?? [];
      const newlyMatched = names.length === 0 ? names : newNames(names, hasNewRules ? undefined : before);
      const isNewlyUnjudged =
        why !== undefined && row.wallet !== undefined && (isNew || !isCompared || wasJudged(before));
      let kept: ReviewRow | undefined;
      const make = () => {
        kept ??= {
          wallet: walletOf(row),
          line: row.line,
          label,
          status: row.status,
          score: row.score && ownScalar(row.score),
          collateral: collateralOf(row),
          old: before && {
            score: ownScalar(before.score),
            answeredAt: before.answeredAt,
            isCurrent: before.isCurrent,
          },
          change: delta,
          levels: levelChanges,
          isNew,
          matched: names,
          newlyMatched,
          why,
          isNewlyUnjudged,
        };
        return kept;
      };
      if (names.length > 0)
        matched[newlyMatched.length > 0 ? 'newly' : 'standing'].offer(severityOf(row, findIn(row), rules), make);
      const moved = delta === undefined ? undefined : sizeOf(delta);
      if (moved && isEnough(moved, minChange)) changed.offer(moved, make);
      noteTransitions(levelChanges, make);
      if (isNew) added.add(make);
      if (why === undefined) return;
      reasons.set(why, (reasons.get(why) ?? 0) + 1);
      unjudged[isNewlyUnjudged ? 'newly' : 'standing'].add(make);
    },
    all(): ReviewFigures {
      const [newly, standing] = [matched.newly, matched.standing];
      const worst = createTop<Severity, ReviewRow>(MAX_KEPT, compareSeverity);
      // Where not all are kept those are that were not there before.
      const room = MAX_KEPT - newly.entries().length;
      for (const { key, item } of [...newly.entries(), ...standing.entries().slice(0, room)])
        worst.offer(key, () => item);
      const unknown = [...unjudged.newly.all().rows, ...unjudged.standing.all().rows].slice(0, MAX_KEPT);
      const unknownNewly = unjudged.newly.all().count;
      return {
        rows,
        wallets,
        byStatus,
        matched: { count: newly.count + standing.count, newly: newly.count, rows: worst.all() },
        changed: { count: changed.count, rows: changed.all() },
        transitions: [...transitions.values()]
          .map(({ change, rows: found }) => ({ ...change, ...found.all() }))
          .sort((a, b) => b.count - a.count),
        added: added.all(),
        unjudged: { count: unknownNewly + unjudged.standing.all().count, newly: unknownNewly, rows: unknown },
        reasons: [...reasons].map(([why, count]) => ({ why, count })).sort((a, b) => b.count - a.count),
      };
    },
  };
}

/** The first few of what is added. */
function createFirst<T>() {
  const items: T[] = [];
  let count = 0;
  return {
    add(make: () => T): void {
      count += 1;
      if (items.length < MAX_KEPT) items.push(make());
    },
    all: (): Kept<T> => ({ count, rows: items }),
  };
}

/** Why nothing can be said of `row`; undefined where something can. */
function reasonOf({ status, error, unjudged = [] }: Row): string | undefined {
  switch (status) {
    case 'invalid':
      return 'not a wallet';
    case 'failed':
      return error?.httpStatus === undefined ? (error?.code ?? 'failed') : `refused (${error.httpStatus})`;
    case 'pending':
      return 'not asked';
    case 'no_score':
      return 'no score';
    default:
      return unjudged.length > 0 ? `not judged: ${unjudged.join('; ')}` : undefined;
  }
}

/** By how much the score rose; undefined where there are not two numbers. */
function deltaOf({ score }: Row, before: Before | undefined): string | undefined {
  if (!score || !before) return undefined;
  const [is, was] = [decimalOf(score), decimalOf(before.score)];
  return is && was ? subtractDecimals(is, was) : undefined;
}

function newNames(names: readonly string[], before: Before | undefined): readonly string[] {
  const { matched = [], unjudged = [] } = before?.judged() ?? {};
  return names.filter((name) => !matched.includes(name) && !unjudged.includes(name));
}

const wasJudged = (before: Before | undefined) => before?.isCurrent === true && !before.judged().unjudged?.length;

/** A wallet of which nothing could be said, and now something can. */
function backAgain({ status }: Row, before: Before | undefined): readonly LevelChange[] {
  return status === 'scored' && !before?.isCurrent ? [{ field: 'status', old: 'no score', new: 'scored' }] : [];
}

/** How large the change is, whichever its direction; undefined for none. */
function sizeOf(delta: string): Decimal | undefined {
  const found = decimalOf({ kind: 'number', spelling: delta });
  return found && found.digits !== '' ? { ...found, sign: 1 } : undefined;
}

const isEnough = (size: Decimal, least: Decimal | undefined) => !least || compareDecimals(size, least) >= 0;

/** V8 keeps all of an answer in memory for a number cut out of it. */
function ownScalar(node: ScalarNode): ScalarNode {
  if (node.kind === 'number') return { kind: 'number', spelling: ownCopy(node.spelling) };
  return node.kind === 'string' ? { kind: 'string', value: ownCopy(node.value) } : node;
}

function collateralOf({ document }: Row): ScalarNode | undefined {
  const node = document && memberOf(document, 'total_collateral_usd');
  return node && node.kind !== 'object' && node.kind !== 'array' ? ownScalar(node) : undefined;
}

function walletOf({ document, wallet }: Row): string | undefined {
  const spelled = document && memberOf(document, 'wallet_address');
  const text = spelled?.kind === 'string' ? spelled.value : wallet;
  return text === undefined ? undefined : ownCopy(text);
}

/** Whether there is anything in it that nobody was told before. */
export function hasNews(
  { matched, changed, transitions, added, unjudged }: ReviewFigures,
  others: { readonly left: number; readonly moreInvalid: boolean },
): boolean {
  const news = [matched.newly, changed.count, transitions.length, added.count, unjudged.newly, others.left];
  return others.moreInvalid || news.some((count) => count > 0);
}
