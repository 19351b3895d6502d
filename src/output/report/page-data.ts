/** What a page holds besides what is drawn on it: the one form that the page's writer and its script agree on. */
import type { Status } from '../../row/row.ts';

/** A number of a row that has a chart. */
export type Measure = 'score' | 'collateral';

/** Which rows are shown. A row has to pass one filter of each group in which any is chosen. */
export type Filter = { readonly group: string; readonly label: string } & (
  | { readonly kind: 'status'; readonly status: Status }
  | { readonly kind: 'incomplete' }
  | { readonly kind: 'unscored' }
  | { readonly kind: 'marked'; readonly what: 'matched' | 'unjudged' | 'excused' }
  | { readonly kind: 'matched' | 'unjudged' | 'excused'; readonly rule: number }
  | { readonly kind: 'change'; readonly change: string }
  | { readonly kind: 'share'; readonly field: number; readonly value: number }
  | ({ readonly kind: 'range'; readonly measure: Measure } & Range)
);

/** From `from` on, and below `to`, or up to it when `isClosed`. */
export interface Range {
  readonly from: number;
  readonly to: number;
  readonly isClosed: boolean;
}

/** Texts are safe to show but for what the browser's document does itself: they are set as text, never as markup. */
export interface PageRow {
  readonly line: number;
  /** The wallet, or what stood in its place. */
  readonly wallet: string;
  /** What the list's own column says of the wallet that tells people which it is. */
  readonly label?: string | undefined;
  /** What the other columns say, besides its address. */
  readonly others?: string | undefined;
  readonly status?: Status;
  /** Numbers as they were spelled. */
  readonly score?: string;
  readonly collateral?: string;
  /** ISO 8601 UTC. */
  readonly at?: string;
  readonly warning?: string;
  readonly error?: string;
  /** Numbers of rules. */
  readonly matched?: readonly number[];
  /** Numbers of rules that could not be judged for it. */
  readonly unjudged?: readonly number[];
  /** The rules that it is excused from, and why. */
  readonly excused?: readonly { readonly rule: number; readonly text: string }[];
  /** What became of the wallet since the baseline, and by how much its score rose. */
  readonly change?: string;
  readonly delta?: string;
  /** Of each field with few values the number of the row's value, -1 where it has none. */
  readonly shares?: readonly number[];
  /** Where its card is: the part, and its index there. Absent where the page has no room for it. */
  readonly card?: readonly [part: number, index: number];
}

export interface PageData {
  readonly filters: readonly Filter[];
  readonly rules: readonly string[];
  /** Whether rows are compared with a baseline. */
  readonly isCompared: boolean;
  /** The column of the list that has the labels. */
  readonly label?: string | undefined;
  /** The field with few values that is nearest to the score: its number among them, and what its values are. */
  readonly level?: { readonly title: string; readonly field: number; readonly values: readonly string[] } | undefined;
  readonly rows: readonly PageRow[];
  /** Cards: whole rows as JSON, one a line, many to a part, packed with gzip, in base 64. */
  readonly parts: readonly string[];
}

export function isInRange(value: number, { from, to, isClosed }: Range): boolean {
  return value >= from && (value < to || (isClosed && value === to));
}

/** Whether `row` is one of those that `filter` is for. */
export function passes(row: PageRow, filter: Filter): boolean {
  switch (filter.kind) {
    case 'status':
      return row.status === filter.status;
    case 'incomplete':
      return row.warning !== undefined;
    case 'unscored':
      return row.status !== undefined && row.status !== 'scored';
    case 'marked':
      return isMarked(row, filter.what);
    case 'matched':
      return row.matched?.includes(filter.rule) ?? false;
    case 'unjudged':
      return row.unjudged?.includes(filter.rule) ?? false;
    case 'excused':
      return row.excused?.some(({ rule }) => rule === filter.rule) ?? false;
    case 'change':
      return row.change === filter.change;
    case 'share':
      return row.shares?.[filter.field] === filter.value;
    case 'range': {
      const text = row[filter.measure];
      return text !== undefined && isInRange(Number(text), filter);
    }
  }
}

/** Rules that could not be judged are shown for rows that matched none. */
function isMarked({ matched, unjudged, excused }: PageRow, what: 'matched' | 'unjudged' | 'excused'): boolean {
  if (what === 'excused') return excused !== undefined;
  return what === 'matched' ? matched !== undefined : matched === undefined && unjudged !== undefined;
}
