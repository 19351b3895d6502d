/**
 * What a review says, computed once: the letter, the JSON document, --brief and the page print this
 * same value, so that their numbers cannot differ. All texts are the service's or the list's own:
 * whoever prints them escapes them.
 */
import type { Path } from '../document/path.ts';
import { yieldToEvents } from '../host/clock.ts';
import { SANDBOX_BASE } from '../journal/journal.ts';
import { labelOf } from '../row/label.ts';
import type { Excused } from '../row/row.ts';
import type { Exception } from '../rules/judge.ts';
import { isAlarm } from '../rules/rule-counts.ts';
import { asksForChange } from '../rules/rules.ts';
import { type KeptFile, unpackedName } from '../runs/review-folder.ts';
import type { ReviewHeader } from '../runs/review-lines.ts';
import type { RowIndex } from '../runs/row-index.ts';
import { utcDay } from '../text/when.ts';
import { createCounts } from './counts.ts';
import type { EarlierReview } from './earlier.ts';
import { haveSameRules } from './same-rules.ts';
import { createSections } from './sections.ts';
import { type FactOptions, factOptions, leaverFacts, type WalletFacts, walletFacts } from './wallet-facts.ts';

const DAYS_BEFORE_END = 7;
/** Wallets compared in one turn of the event loop: signals are handled in between. */
const TURN = 1_000;

/** Why a review is compared with nothing. Times are milliseconds since 1970. */
export type NotCompared =
  /** The folder has no review. */
  | { readonly kind: 'first' }
  /** There are reviews that are old enough, but none that can be used. */
  | { readonly kind: 'none usable' }
  /** There are reviews, but none is old enough. */
  | { readonly kind: 'none yet'; readonly newest: number }
  /** With --as-of: the file that it was compared with is gone. */
  | { readonly kind: 'gone'; readonly file: string };

export interface ComparedReview {
  readonly kind: 'review';
  readonly file: string;
  readonly begun: number;
  /** The name of its list. */
  readonly list: string;
  readonly hasOtherRules: boolean;
}

export type ComparedWith = ComparedReview | NotCompared;

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
  /** Whether a text of the score has few values. */
  readonly hasFewValues: (field: string) => boolean;
  readonly earlier: EarlierReview | undefined;
  /** Why nothing is compared, where that is so. */
  readonly notCompared: NotCompared;
  readonly scorePath: Path | undefined;
  /**
   * The name of the folder of the kept reviews, for a list that has no name; undefined where that
   * is not known.
   */
  readonly folder: string | undefined;
  readonly signal: AbortSignal;
}

export type Review = Awaited<ReturnType<typeof reviewOf>>;

/** @throws IoError when a row cannot be read back; the signal's reason */
export async function reviewOf(reviewed: Reviewed) {
  const { header, rowCount, earlier } = reviewed;
  const { list, policy, begun, environment, baseUrl, rules } = header;
  const [sections, counts] = [createSections(header.labelColumn), createCounts(header)];
  for await (const facts of allFacts(reviewed, factOptions(reviewed))) {
    sections.add(facts);
    counts.add(facts);
  }
  const ending = endingOf(reviewed);
  const { hasNews, ...counted } = counts.all();
  return {
    list,
    policy,
    begun,
    environment,
    baseUrl,
    folder: reviewed.folder,
    isSandbox: baseUrl === SANDBOX_BASE,
    comparedWith: comparedWith(reviewed),
    /** Whether there are rules on change that nothing could be compared for. */
    hasUnjudgedChanges: !earlier && rules.some(({ when }) => asksForChange(when)),
    rows: rowCount,
    ...counted,
    isAlarm: isAlarm(counted.counts),
    ...sections.all(),
    news: !earlier || hasNews || ending.some(({ isNews }) => isNews),
    ending: ending.map(({ isNews: _, ...one }): Ending => one),
  };
}

function comparedWith({ header, earlier, notCompared }: Reviewed): ComparedWith {
  if (!earlier) return notCompared;
  const { begun, list, rules } = earlier.header;
  const hasOtherRules = !haveSameRules(header.rules, rules);
  return { kind: 'review', file: unpackedName(earlier.file), begun, list: list.name, hasOtherRules };
}

/** Of each wallet of the list in its order, then of those that have left it. */
async function* allFacts({ rows, earlier, signal }: Reviewed, options: FactOptions): AsyncGenerator<WalletFacts> {
  let read = 0;
  for (const key of rows.keys()) {
    if (++read % TURN === 0) await yieldToEvents(signal);
    const [first, ...others] = rows.rowsOf(key);
    if (first) yield walletFacts([first, ...others], options);
  }
  if (!earlier) return;
  for (const key of earlier.walletKeys()) {
    if (++read % TURN === 0) await yieldToEvents(signal);
    if (!rows.has(key)) yield leaverFacts(key, earlier, options);
  }
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
    const wasSaid = since !== undefined && !hasEnded && daysUntil(endsAt, since) <= DAYS_BEFORE_END;
    return [{ wallet, rule, reason, until, label: labelThere(exception, reviewed), hasEnded, isNews: !wasSaid }];
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
export function whyNotCompared([newest]: readonly KeptFile[], candidates: readonly KeptFile[] = []): NotCompared {
  if (candidates.length > 0) return { kind: 'none usable' };
  return newest ? { kind: 'none yet', newest: newest.begun } : { kind: 'first' };
}
