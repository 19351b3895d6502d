/** The data embedded in a page: the contract between the page's writer and its script. */
import type { Status } from '../../row/row.ts';

/** A number of a row that is charted. */
export type Measure = 'score' | 'collateral';

/** Selects rows. A row must pass at least one chosen filter of each group. */
export type Filter = { readonly group: string; readonly label: string } & (
  | { readonly kind: 'status'; readonly status: Status }
  | { readonly kind: 'incomplete' }
  | { readonly kind: 'unscored' }
  | { readonly kind: 'marked'; readonly what: 'matched' | 'unjudged' | 'excused' }
  | { readonly kind: 'matched' | 'unjudged' | 'excused'; readonly rule: number }
  | { readonly kind: 'share'; readonly field: number; readonly value: number }
  | ({ readonly kind: 'range'; readonly measure: Measure } & Range)
);

/** From `from` (inclusive) to `to` (inclusive if `isClosed`). */
export interface Range {
  readonly from: number;
  readonly to: number;
  readonly isClosed: boolean;
}

/** Secrets are withheld from all texts. They are not escaped: the script inserts them as text, never as markup. */
export interface PageRow {
  readonly line: number;
  /** The wallet, or the text found in its place. */
  readonly wallet: string;
  /** The wallet's label from the list. */
  readonly label?: string | undefined;
  /** Cells of the list's other columns, joined. */
  readonly others?: string | undefined;
  readonly status?: Status;
  /** Numbers as the service spelled them. */
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
  /** The rules from which it is excused, and why. */
  readonly excused?: readonly { readonly rule: number; readonly text: string }[];
  /** For each field with few values, the index of the row's value, or -1. */
  readonly shares?: readonly number[];
  /** Location of its card. Absent if the page had no room for it. */
  readonly card?: readonly [part: number, index: number];
}

export interface PageData {
  readonly filters: readonly Filter[];
  readonly rules: readonly string[];
  /** The list's column that holds the labels. */
  readonly label?: string | undefined;
  /** The field with few values that is closest to the score: its title, index and values. */
  readonly level?: { readonly title: string; readonly field: number; readonly values: readonly string[] } | undefined;
  readonly rows: readonly PageRow[];
  /** Cards: whole rows as lines of JSON, in parts compressed with gzip and encoded in base64. */
  readonly parts: readonly string[];
}

export function isInRange(value: number, { from, to, isClosed }: Range): boolean {
  return value >= from && (value < to || (isClosed && value === to));
}

/** Whether `filter` selects `row`. */
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
    case 'share':
      return row.shares?.[filter.field] === filter.value;
    case 'range': {
      const text = row[filter.measure];
      return text !== undefined && isInRange(Number(text), filter);
    }
  }
}

/** A row counts as unjudged only if it matched no rule. */
function isMarked({ matched, unjudged, excused }: PageRow, what: 'matched' | 'unjudged' | 'excused'): boolean {
  if (what === 'excused') return excused !== undefined;
  return what === 'matched' ? matched !== undefined : matched === undefined && unjudged !== undefined;
}
