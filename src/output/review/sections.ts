/**
 * What a review says, computed once: the letter, the JSON document, --brief and the page print this same value, so that their
 * numbers cannot differ. All texts are the service's or the list's own: whoever prints them escapes them.
 */
import type { Node, ScalarNode } from '../../document/node.ts';
import type { Status } from '../../row/row.ts';
import type { ReadFile } from '../../runs/kept-review.ts';

/** Rows of a section that are kept; the letter shows fewer. */
export const MAX_ROWS = 1_000;

/** With what a review was compared. Times are milliseconds since 1970. */
export type ComparedWith =
  | { readonly kind: 'review'; readonly file: string; readonly begun: number }
  /** The folder has no review. */
  | { readonly kind: 'first' }
  /** There are reviews, but none is old enough; `since` is the --since that would take the newest. */
  | { readonly kind: 'none yet'; readonly newest: number; readonly since: string }
  /** With --as-of: the file that it was compared with is gone, or is another one now. */
  | { readonly kind: 'gone'; readonly file: string };

/** A value then and now; undefined where there is none. */
export interface Change<T> {
  readonly old: T | undefined;
  readonly new: T | undefined;
  /** When the old one was answered, ISO 8601 UTC. */
  readonly oldAt: string | undefined;
  /** The same where that is on another day than that of the review compared with, which has no value. */
  readonly since: string | undefined;
}

export interface ScoreChange extends Change<ScalarNode> {
  /** New less old, exactly; undefined unless both are numbers. */
  readonly delta: string | undefined;
}

export interface CollateralChange extends Change<Node> {
  /** By how many per cent it changed: `-99.5`; undefined where that cannot be said. */
  readonly percent: string | undefined;
}

/** A text directly in `defi_score` that was another one. */
export interface TextChange {
  readonly field: string;
  readonly old: string;
  readonly new: string;
  /** As of a score. */
  readonly since: string | undefined;
}

/** An exception of the policy that is about a row: it excuses it, or did so until lately. */
export interface RowException {
  readonly rule: string;
  readonly reason: string;
  /** Its last day, YYYY-MM-DD. */
  readonly until: string | undefined;
}

/** A wallet of the review. */
export interface ReviewRow {
  readonly label: string | undefined;
  /** As the list spells it, in a row that is no wallet its text. */
  readonly wallet: string | undefined;
  /** The line of the list; undefined for a wallet that has left it. */
  readonly line: number | undefined;
  /** The list's own columns. */
  readonly columns: readonly (readonly [name: string, text: string])[];
  readonly status: Status | undefined;
  readonly score: ScoreChange;
  readonly collateral: CollateralChange;
  readonly texts: readonly TextChange[];
  /** The names of the rules that it matches. */
  readonly matched: readonly string[];
  /** Those of them that it did not match then; empty where there was nothing to compare with. */
  readonly newly: readonly string[];
  /** Why it could not be judged. */
  readonly why: string | undefined;
  /** Whether it could be judged then. */
  readonly isNewlyUnjudged: boolean;
  readonly excused: readonly RowException[];
  /** Exceptions of its that have ended since the review that this one is compared with. */
  readonly ended: readonly RowException[];
  /** Whether it came to the list since. */
  readonly isNew: boolean;
}

/** By what a row is known: its wallet, or else its line. */
export const reviewKey = ({
  wallet,
  line,
}: {
  readonly wallet: string | undefined;
  readonly line: number | undefined;
}) => wallet?.toLowerCase() ?? `line ${line}`;

export interface Section {
  /** How many there are; `rows` has at most MAX_ROWS of them. */
  readonly total: number;
  readonly rows: readonly ReviewRow[];
}

/** A rule, as its author wrote it. */
export interface RuleText {
  readonly name: string;
  readonly condition: string;
  readonly note: string | undefined;
  readonly matched: number;
  readonly newly: number;
  readonly unjudged: number;
  readonly excused: number;
}

export interface ReviewSections {
  readonly list: ReadFile;
  readonly policy: ReadFile | undefined;
  readonly begun: number;
  readonly environment: string;
  readonly baseUrl: string;
  readonly comparedWith: ComparedWith;
  /** Whether there are rules on change that nothing could be compared for. */
  readonly hasUnjudgedChanges: boolean;
  /** Rows of the list, and distinct wallets. */
  readonly rows: number;
  readonly wallets: number;
  readonly byStatus: Readonly<Record<Status, number>>;
  readonly rules: readonly RuleText[];
  readonly news: boolean;
  readonly lookAt: Section & { readonly newly: number };
  readonly notJudged: Section & { readonly newly: number };
  readonly excused: Section;
  readonly changed: Section;
  readonly came: Section;
  readonly left: Section;
  /** Exceptions that end within 7 days, or have ended since, of any wallet. */
  readonly ending: readonly (RowException & {
    readonly label: string | undefined;
    readonly wallet: string;
    readonly hasEnded: boolean;
  })[];
}
