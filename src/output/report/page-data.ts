/** The data embedded in a page: the contract between the page's writer and its script. */
import type { Status } from '../../row/row.ts';
import { groupDigits } from '../../text/words.ts';

/** A number of a row that is charted. */
export type Measure = 'score' | 'collateral';
export const MEASURES: readonly Measure[] = ['score', 'collateral'];

/** From `from` (inclusive) to `to` (inclusive if `isClosed`). */
export interface Range {
  readonly from: number;
  readonly to: number;
  readonly isClosed: boolean;
}

export const isInRange = (value: number, { from, to, isClosed }: Range): boolean =>
  value >= from && (value < to || (isClosed && value === to));

/** What rules say of a row; watch rules make no alarm. */
export const MARKS = ['matched', 'unjudged', 'watched', 'excused'] as const;
export type Mark = (typeof MARKS)[number];

/** The same in words. */
export const MARK_WORDS: Readonly<Record<Mark, string>> = {
  matched: 'matched',
  unjudged: 'not judged',
  watched: 'watch',
  excused: 'excused',
};

/** What a row may have. */
type Criterion =
  | { readonly kind: 'status'; readonly status: Status }
  | { readonly kind: 'unscored' | 'incomplete' }
  /** By one rule, or by any. */
  | { readonly kind: Mark; readonly rule?: string }
  | { readonly kind: 'section'; readonly name: string }
  | { readonly kind: 'text'; readonly name: string; readonly text: string }
  | ({ readonly kind: 'range'; readonly measure: Measure } & Range);

/** Selects rows. A row must pass at least one chosen filter of each group. */
export type Filter = Criterion & { readonly group: string; readonly label: string };

/**
 * Pairs instead of an object: a foreign name could be a member that every object has, such as
 * `constructor`.
 */
export type NamedTexts = readonly (readonly [name: string, text: string])[];

/** A rule, with the reason of an exception; or the reason why a review did not judge the wallet. */
export interface PageVerdict {
  readonly mark: Mark;
  /** Empty if the text is a reason. */
  readonly rule: string;
  readonly text: string;
}

/**
 * Secrets are redacted from all texts. They are not escaped: the script inserts them as text, never
 * as markup.
 */
export interface PageRow {
  /** The line of the list. */
  readonly line: number;
  /** The wallet, the text found in its place, or the line. */
  readonly wallet: string;
  /** The wallet's label from the list. */
  readonly label?: string | undefined;
  /** The list's other columns. */
  readonly columns?: NamedTexts | undefined;
  readonly status?: Status | undefined;
  /** Numbers as the service spelled them. */
  readonly score?: string | undefined;
  readonly collateral?: string | undefined;
  /** ISO 8601 UTC. */
  readonly at?: string | undefined;
  readonly warning?: string | undefined;
  readonly error?: string | undefined;
  /** What rules say of it, of a review its alarms; empty where they say nothing. */
  readonly verdicts: readonly PageVerdict[];
  /** Its texts directly in `defi_score`, of those that have few values. */
  readonly texts?: NamedTexts | undefined;
  /** Of a review: the section that has it. */
  readonly section?: string | undefined;
  /** The whole row as JSON, for its card. Absent if the page has no room for it. */
  readonly card?: string | undefined;
}

export interface PageData {
  readonly rows: readonly PageRow[];
  /** The list's column that holds the labels. */
  readonly label?: string | undefined;
  /** The name of the text that is shown beside the score. */
  readonly level?: string | undefined;
  /** Whether the rows are of a review: those that matched are its open alarms. */
  readonly isReview?: boolean | undefined;
}

export const markWord = (mark: Mark, { isReview }: Pick<PageData, 'isReview'>): string =>
  isReview && mark === 'matched' ? 'open' : MARK_WORDS[mark];

export function passes(row: PageRow, filter: Criterion): boolean {
  switch (filter.kind) {
    case 'status':
      return row.status === filter.status;
    case 'unscored':
      return row.status !== undefined && row.status !== 'scored';
    case 'incomplete':
      return row.warning !== undefined;
    case 'section':
      return row.section === filter.name;
    case 'text':
      return textCalled(row, filter.name) === filter.text;
    case 'range':
      return row[filter.measure] !== undefined && isInRange(Number(row[filter.measure]), filter);
    default: {
      const { kind, rule: wanted } = filter;
      // A row counts as not judged only if no rule matched it.
      if (kind === 'unjudged' && !wanted && row.verdicts.some(({ mark }) => mark === 'matched')) return false;
      return row.verdicts.some(({ mark, rule }) => mark === kind && rule === (wanted ?? rule));
    }
  }
}

/** The rules with a mark, each with the reason of an exception. */
export const rulesOf = ({ verdicts }: PageRow, mark: Mark): readonly string[] =>
  verdicts.filter((one) => one.mark === mark).map(({ text }) => text);

/** Its text in `defi_score` that is called `name`. */
export const textCalled = ({ texts }: PageRow, name: string): string | undefined =>
  texts?.find(([own]) => own === name)?.[1];

const ROW_WALLET = /^0x[\da-f]{40}$/i;

/** The wallet of a row, in lower case; undefined when the row is not a wallet. */
export const validWallet = ({ wallet }: PageRow): string | undefined =>
  ROW_WALLET.test(wallet) ? wallet.toLowerCase() : undefined;

/**
 * `wallets 6 of 11`, and also rows when their numbers differ: a wallet may be listed twice, and a
 * row may not be a wallet.
 */
export function walletsText(found: readonly PageRow[], all: readonly PageRow[]): string {
  const [some, total] = [countWallets(found), countWallets(all)];
  const of = (what: 'wallets' | 'rows') =>
    `${what} ${some[what] === total[what] ? '' : `${groupDigits(some[what])} of `}${groupDigits(total[what])}`;
  const isSame = some.wallets === some.rows && total.wallets === total.rows;
  return isSame ? of('wallets') : `${of('wallets')}, ${of('rows')}`;
}

const countWallets = (rows: readonly PageRow[]) => ({
  wallets: new Set(rows.flatMap((row) => validWallet(row) ?? [])).size,
  rows: rows.length,
});
