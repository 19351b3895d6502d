/**
 * What a review says, computed once: the letter, the JSON document, --brief and the page print this same value, so that their
 * numbers cannot differ. All texts are the service's or the list's own: whoever prints them escapes them.
 */
import type { Path } from '../document/path.ts';
import { yieldToEvents } from '../host/clock.ts';
import { SANDBOX_BASE } from '../journal/journal.ts';
import { type Exception, exceptionIndex } from '../row/judge.ts';
import { labelOf } from '../row/label.ts';
import type { Excused, Row, Status } from '../row/row.ts';
import { isAlarm, ruleCounts } from '../row/rule-counts.ts';
import { asksForChange, expressionLine, type Level } from '../row/rules.ts';
import { bareName, type KeptFile } from '../runs/keep-folder.ts';
import type { ReviewHeader } from '../runs/kept-review.ts';
import { isWalletKey, type RowIndex } from '../runs/row-index.ts';
import { timeIn, utcDay } from '../text/when.ts';
import { hasChanged } from './changes.ts';
import type { EarlierReview } from './earlier.ts';
import { hasSameRules, namesThen, raisedFromWatch } from './same-rules.ts';
import { largestFirst, newFirst, worstFirst } from './sections.ts';
import { type FactOptions, isNews, leaverFacts, type Match, type WalletFacts, walletFacts } from './wallet-facts.ts';

const DAYS_BEFORE_END = 7;
/** Wallets compared in one turn of the event loop: signals are handled in between. */
const TURN = 1_000;

/** What a review was compared with. Times are milliseconds since 1970. */
export type ComparedWith =
  | {
      readonly kind: 'review';
      readonly file: string;
      readonly begun: number;
      /** The name of its list. */
      readonly list: string;
      readonly hasOtherRules: boolean;
    }
  /** The folder has no review. */
  | { readonly kind: 'first' }
  /** There are reviews that are old enough, but none that can be used. */
  | { readonly kind: 'none usable' }
  /** There are reviews, but none is old enough. */
  | { readonly kind: 'none yet'; readonly newest: number }
  /** With --as-of: the file that it was compared with is gone. */
  | { readonly kind: 'gone'; readonly file: string };

export interface RuleFigures {
  readonly name: string;
  readonly level: Level;
  readonly condition: string;
  readonly note: string | undefined;
  readonly matched: number;
  readonly byFacts: number;
  readonly byRules: number;
  readonly unjudged: number;
  readonly excused: number;
}

/** An exception that ends within 7 days, or has ended since the earlier review. */
export interface Ending extends Excused {
  readonly label: string | undefined;
  readonly wallet: string;
  readonly hasEnded: boolean;
}

/** What was judged, and what it is compared with. */
export interface Reviewed {
  readonly header: ReviewHeader;
  readonly rows: RowIndex;
  /** How many rows the list has. */
  readonly rowCount: number;
  readonly isFew: (field: string) => boolean;
  readonly earlier: EarlierReview | undefined;
  /** Why nothing is compared, where that is so. */
  readonly notCompared: ComparedWith;
  readonly scorePath: Path | undefined;
  /** The name of the folder of the kept reviews, for a list that has no name; undefined where that is not known. */
  readonly folder: string | undefined;
  readonly signal: AbortSignal;
}

export type Review = Awaited<ReturnType<typeof reviewOf>>;

/** @throws IoError when a row cannot be read back; the signal's reason */
export async function reviewOf(reviewed: Reviewed) {
  const { header, rowCount, earlier } = reviewed;
  const { list, policy, begun, environment, baseUrl, rules } = header;
  const options = factOptions(reviewed);
  const sections = createSections(options);
  for await (const facts of allFacts(reviewed, options)) sections.add(facts);
  const { wallets, common, byStatus, incomplete, ofEarlierDays, ...found } = sections.end();
  const ending = endingOf(reviewed);
  return {
    ...{ list, policy, begun, environment, baseUrl, folder: reviewed.folder, isSandbox: baseUrl === SANDBOX_BASE },
    comparedWith: comparedWith(reviewed),
    /** Whether there are rules on change that nothing could be compared for. */
    hasUnjudgedChanges: !earlier && rules.some(({ when }) => asksForChange(when)),
    /** Rows of the list, distinct wallets, and those that the earlier review has as well. */
    ...{ rows: rowCount, wallets, common, byStatus, incomplete, ofEarlierDays },
    ...found,
    news: !earlier || found.hasNews || ending.some(({ isNews }) => isNews),
    ending: ending.map(({ isNews: _, ...one }) => one),
  };
}

function comparedWith({ header, earlier, notCompared }: Reviewed): ComparedWith {
  if (!earlier) return notCompared;
  const { file } = earlier;
  return {
    ...{ kind: 'review', file: bareName(file), begun: earlier.header.begun, list: earlier.header.list.name },
    hasOtherRules: !hasSameRules(header.rules, earlier.header.rules),
  } as const;
}

function factOptions({ header, isFew, earlier, scorePath }: Reviewed): FactOptions {
  const { rules, exceptions = [], begun, labelColumn: label } = header;
  const accept = new Set(header.accept);
  const judgingAt = (at: number) => ({ rules, accept, exceptions: exceptionIndex(exceptions, at) });
  return {
    ...{ exceptions, begun, scorePath, label, isFew, earlier },
    judging: judgingAt(begun),
    judgingThen: judgingAt(earlier?.header.begun ?? begun),
    namesThen: namesThen(rules, earlier?.header.rules ?? []),
    raisedFromWatch: raisedFromWatch(rules, earlier?.header.rules ?? []),
  };
}

/** Of each wallet of the list in its order, then of those that have left it. */
async function* allFacts({ rows, earlier, signal }: Reviewed, options: FactOptions): AsyncGenerator<WalletFacts> {
  let read = 0;
  for (const key of rows.keys()) {
    if (++read % TURN === 0) await yieldToEvents(signal);
    const [first, ...others] = rows.rowsOf(key);
    if (first) yield walletFacts([first, ...others], options);
  }
  for (const key of earlier?.keys() ?? []) {
    if (++read % TURN === 0) await yieldToEvents(signal);
    if (earlier && isWalletKey(key) && !rows.has(key)) yield leaverFacts(key, earlier, options);
  }
}

function createSections({ judging, earlier, begun }: FactOptions) {
  const { rules } = judging;
  const byStatus: Record<Status, number> = { scored: 0, no_score: 0, invalid: 0, failed: 0, pending: 0 };
  const counts = ruleCounts<Pick<Row, 'wallet' | 'line'>>(rules);
  const figures = new Map(
    rules.map((rule) => [rule.name, { rule, byFacts: 0, byRules: 0, matched: 0, unjudged: 0, excused: 0 }]),
  );
  const [lookAt, watch] = [worstFirst(), worstFirst()];
  const [notJudged, excused, came, left] = [newFirst(), newFirst(), newFirst(), newFirst()];
  const changed = largestFirst();
  const days = new Map<number, number>();
  const clearedByRules = new Map<string, number>();
  const today = new Date(begun).toISOString().slice(0, 10);
  let [wallets, common, incomplete, hasNews] = [0, 0, 0, false];

  function count(facts: WalletFacts): void {
    const { status, wallet, isNew, warning, answeredAt, matched, watched, unjudged } = facts;
    const byName = (names: readonly string[]) => rules.filter(({ name }) => names.includes(name));
    const namesOf = (matches: readonly Match[]) => byName(matches.map(({ rule }) => rule));
    counts.add(
      { ...(wallet !== undefined && { wallet }), line: facts.line ?? 0 },
      { matched: namesOf(matched), watched: namesOf(watched), unjudged: byName(unjudged) },
    );
    for (const { rule, news } of [...matched, ...watched]) {
      add(rule, 'matched');
      if (news) add(rule, news === 'facts' ? 'byFacts' : 'byRules');
    }
    for (const name of unjudged) add(name, 'unjudged');
    for (const { rule } of facts.excused) add(rule, 'excused');
    for (const { rule, news } of facts.cleared)
      if (news === 'rules') clearedByRules.set(rule, (clearedByRules.get(rule) ?? 0) + 1);
    hasNews ||= earlier !== undefined && isNews(facts);
    if (status === undefined) return;
    byStatus[status] += 1;
    if (wallet !== undefined) wallets += 1;
    if (wallet !== undefined && earlier && !isNew) common += 1;
    if (warning !== undefined) incomplete += 1;
    if (answeredAt === undefined || answeredAt.startsWith(today)) return;
    const day = utcDay(timeIn(answeredAt));
    if (day < utcDay(begun)) days.set(day, (days.get(day) ?? 0) + 1);
  }
  function add(name: string, what: 'byFacts' | 'byRules' | 'matched' | 'unjudged' | 'excused'): void {
    const found = figures.get(name);
    if (found) found[what] += 1;
  }

  return {
    add(facts: WalletFacts): void {
      count(facts);
      const isLeaver = facts.line === undefined;
      if (facts.matched.length > 0) lookAt.add(facts);
      else if (facts.why !== undefined) notJudged.add(facts);
      else if (facts.watched.length > 0) watch.add(facts);
      else if (facts.excused.length > 0 && !isLeaver) excused.add(facts);
      else if (isLeaver) left.add(facts);
      else if (hasChanged(facts) || facts.cleared.some(({ news }) => news === 'facts')) changed.add(facts);
      else if (facts.isNew) came.add(facts);
    },
    end: () => ({
      ...{ wallets, common, byStatus, incomplete, hasNews, counts, isAlarm: isAlarm(counts) },
      /** The alarms of the earlier review that ended since their rules are gone or weaker, and for how many wallets. */
      clearedByRules: [...clearedByRules],
      /** Wallets whose answers are of earlier days than that of the review, by these days. */
      ofEarlierDays: [...days].sort(([a], [b]) => a - b),
      rules: [...figures.values()].map(
        ({ rule: { name, level, when, note }, ...numbers }): RuleFigures => ({
          ...{ name, level, condition: expressionLine(when), note },
          ...numbers,
        }),
      ),
      ...{ lookAt: lookAt.all(), notJudged: notJudged.all(), watch: watch.all(), excused: excused.all() },
      ...{ changed: changed.all(), came: came.all(), left: left.all() },
    }),
  };
}

/** Exceptions that end within days, or have ended since the earlier review; days are UTC days. */
function endingOf(reviewed: Reviewed): readonly (Ending & { readonly isNews: boolean })[] {
  const { header, earlier } = reviewed;
  const { begun, exceptions = [] } = header;
  const since = earlier?.header.begun;
  return exceptions.flatMap((exception) => {
    const { wallet, rule, reason, until, endsAt } = exception;
    if (endsAt === undefined) return [];
    const daysLeft = daysUntil(endsAt, begun);
    const hasEnded = daysLeft < 0;
    if (daysLeft > DAYS_BEFORE_END || (hasEnded && (since === undefined || endsAt <= since))) return [];
    const wasTold = since !== undefined && !hasEnded && daysUntil(endsAt, since) <= DAYS_BEFORE_END;
    const label = labelThere(exception, reviewed);
    return [{ wallet, rule, reason, until, label, hasEnded, isNews: !wasTold }];
  });
}

/** UTC days from `at` to the last day of an exception, which `endsAt` is the end of. */
const daysUntil = (endsAt: number, at: number): number => utcDay(endsAt) - 1 - utcDay(at);

function labelThere({ id }: Exception, { rows, header }: Reviewed): string | undefined {
  const [row] = rows.rowsOf(id);
  return row && labelOf(row.input, header.labelColumn);
}

/**
 * Why nothing is compared.
 * @param files the kept reviews, the newest first
 * @param candidates those of them that are old enough
 */
export function whyNotCompared([newest]: readonly KeptFile[], candidates: readonly KeptFile[] = []): ComparedWith {
  if (candidates.length > 0) return { kind: 'none usable' };
  return newest ? { kind: 'none yet', newest: newest.begun } : { kind: 'first' };
}
