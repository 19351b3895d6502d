/**
 * The rows listed on a page. Until all rows have arrived each is kept as a string: garbage collections of object graphs took a
 * fifth of the time of a long report.
 */
import type { Host } from '../../../context.ts';
import { lookup, memberOf } from '../../../document/path.ts';
import { cellText, writeCompact } from '../../../document/write.ts';
import { openRecordFile } from '../../../files/records/record-file.ts';
import { chooseLabel, type InputCell, inputCells, LABEL_ROWS } from '../../../row/label.ts';
import type { Rule } from '../../../row/rules.ts';
import { compareKeys, type SortKey, sortKey } from '../../../row/sort-key.ts';
import { compareSeverity, type Severity as SeverityBy, severityOf as severityBy } from '../../../row/worst-first.ts';
import type { ResultRow } from '../../../runs/result.ts';
import { withholdTree } from '../../../secrets/tree.ts';
import type { Measure, PageRow } from '../page-data.ts';
import { KeptRows, MAX_ROWS } from './kept-rows.ts';
import type { FieldShare } from './shares.ts';
import type { AskedRules, NumberedVerdict, Verdict } from './tally.ts';
import { safeText } from './tally.ts';

/** Reads a whole row as JSON. */
export type Card = () => string;

export interface PageRows {
  /** The rows of the page, each with its card, which is undefined if there was no room for it. */
  readonly kept: readonly { readonly row: PageRow; readonly card: Card | undefined }[];
  /** Indexes in `kept` of the rows that matched, worst first. */
  readonly worst: readonly number[];
}

export interface PageRowsOptions {
  readonly rules: AskedRules;
  /** --label: the column that holds the labels. */
  readonly label?: string | undefined;
  /** Whether whole rows are needed for cards; they are kept on disk. */
  readonly hasCards: boolean;
  readonly host: Pick<Host, 'temporaryFolder'>;
}

/** What is known about a row that may be kept. */
interface ObservedRow {
  /** Index in the list. */
  readonly number: number;
  readonly verdict: Verdict;
  readonly numbered: NumberedVerdict;
  /** NaN if there is none. */
  readonly measures: Readonly<Record<Measure, number>>;
  /** Its values of fields with few values, for `FieldShare.numberIn`; undefined for a row without an answer. */
  readonly seen: Int8Array | undefined;
}

interface KeptRow {
  readonly text: string;
  readonly card: Card | undefined;
  /** Set for a row that matched. */
  readonly severity: RowSeverity | undefined;
}

/** The content of the string of a kept row. */
interface KeptRowText {
  readonly row: PageRow;
  readonly cells: readonly InputCell[];
  readonly seen: readonly number[] | undefined;
}

export function createPageRows({ rules, label: wanted, hasCards, host }: PageRowsOptions) {
  const cards = hasCards ? createCards(host) : undefined;
  const kept = new KeptRows<KeptRow>();
  const first: (readonly InputCell[])[] = [];
  let label: { readonly column: string | undefined } | undefined;
  const labelColumn = () => {
    label ??= { column: chooseLabel(first, { wanted }) };
    return label.column;
  };
  return {
    /** @throws UsageError if the first rows do not have the column named by --label */
    add(row: ResultRow, noted: ObservedRow): void {
      const { number, verdict, numbered } = noted;
      if (number < LABEL_ROWS) first.push(inputCells(row.input()));
      else labelColumn();
      kept.offer(candidateOf(row, noted), () => ({
        text: textOf(row, noted),
        card: cards?.add(number, () => writeCompact(withholdTree(row.node()))),
        severity: numbered.matched.length > 0 ? severityOf(row, verdict.matched, rules) : undefined,
      }));
    },
    /** The column that holds the labels, if any. @throws UsageError as `add` does */
    label: labelColumn,
    /** @param shares the fields with few values, which are known only when all rows are in */
    all(shares: readonly FieldShare[]): PageRows {
      const rows = kept.rows();
      const column = labelColumn();
      return {
        kept: rows.map(({ text, card }) => ({ row: completed(JSON.parse(text), column, shares), card })),
        worst: worstFirst(rows.map(({ severity }) => severity)),
      };
    },
    /** Cards cannot be read afterwards. */
    close: () => cards?.close(),
  };
}

function textOf(row: ResultRow, { verdict, numbered, seen }: ObservedRow): string {
  const kept: KeptRowText = {
    row: pageRow(row, { ...verdict, ...numbered }),
    cells: inputCells(row.input()),
    seen: seen && [...seen],
  };
  return JSON.stringify(kept);
}

function candidateOf({ status, warning }: ResultRow, { number, numbered, measures }: ObservedRow) {
  const { matched, unjudged, excused } = numbered;
  return {
    number,
    isMatched: matched.length + excused.length > 0,
    isUnjudged: unjudged.length > 0,
    isIncomplete: !isAnswered({ status }) || warning !== undefined,
    measures,
  };
}

/** A file without statuses was written with --fields, so its rows are answers. */
export const isAnswered = ({ status }: Pick<ResultRow, 'status'>) =>
  status === undefined || status === 'scored' || status === 'no_score';

function completed(
  { row, cells, seen }: KeptRowText,
  column: string | undefined,
  shares: readonly FieldShare[],
): PageRow {
  const { label, others } = textsOf(cells, column, row.wallet);
  // A row without a wallet is named by its other columns.
  const told = row.wallet === '' ? { label, wallet: others ?? label ?? '' } : { label, others };
  return {
    ...row,
    ...told,
    ...(seen && shares.length > 0 && { shares: shares.map(({ numberIn }) => numberIn(seen)) }),
  };
}

/** Bytes of cards kept for the first MAX_ROWS rows, which are all rows of most lists, and for later ones. */
const FIRST_ROOM = 48 * 1024 * 1024;
const LATER_ROOM = 24 * 1024 * 1024;

function createCards(host: Pick<Host, 'temporaryFolder'>) {
  const file = openRecordFile(host);
  let [first, later] = [FIRST_ROOM, LATER_ROOM];
  return {
    /** Returns undefined if there is no more room. @throws IoError */
    add(number: number, make: () => string): Card | undefined {
      const isFirst = number < MAX_ROWS;
      if ((isFirst ? first : later) <= 0) return undefined;
      const location = file.append(make());
      if (isFirst) first -= location.length;
      else later -= location.length;
      return () => file.read(location);
    },
    close: file.close,
  };
}

/** @param verdict names rules by their numbers */
function pageRow(row: ResultRow, verdict: NumberedVerdict): PageRow {
  const { matched, unjudged, excused } = verdict;
  const text = (value: string | undefined) => (value === undefined || value === '' ? undefined : safeText(value));
  const input = row.input();
  // An object holds the list's columns, which are shown separately.
  const inputText = input?.kind === 'object' ? '' : cellText(input);
  return {
    line: row.line,
    wallet: text(row.wallet?.address ?? (cellText(memberOf(row.node(), 'wallet_address')) || inputText)) ?? '',
    status: row.status,
    score: text(row.score && cellText(row.score)),
    collateral: text(cellText(row.collateral)),
    at: text(row.answeredAt),
    warning: text(row.warning),
    error: text(row.error),
    matched: matched.length > 0 ? matched : undefined,
    unjudged: unjudged.length > 0 ? unjudged : undefined,
    excused: excused.length > 0 ? excused : undefined,
  };
}

/** The label and the other cells of the list's own columns, without those that repeat the wallet. */
function textsOf(cells: readonly InputCell[], column: string | undefined, wallet: string) {
  const told = cells.filter(([, text]) => text !== '' && text.toLowerCase() !== wallet.toLowerCase());
  const others = told.filter(([name]) => name !== column).map(([, text]) => text);
  const label = told.find(([name]) => name === column)?.[1];
  return { label, others: others.length > 0 ? others.join(' · ') : undefined };
}

/** Sort key of matched rows: by severity, then by lowest score. */
interface RowSeverity {
  readonly byRule: SeverityBy;
  readonly score: SortKey;
}

/** @param matched names of the rules that `row` matched; `rules` is empty if they are known only by name */
function severityOf(
  row: ResultRow,
  matched: readonly string[],
  rules: readonly Pick<Rule, 'name' | 'when'>[],
): RowSeverity {
  return { byRule: severityBy({ matched }, (path) => lookup(row.node(), path), rules), score: sortKey(row.score) };
}

/** Indexes of the defined `severities`, worst first. */
function worstFirst(severities: readonly (RowSeverity | undefined)[]): readonly number[] {
  const there = severities.flatMap((severity, index) => (severity ? [{ severity, index }] : []));
  return there.sort((a, b) => compare(a.severity, b.severity) || a.index - b.index).map(({ index }) => index);
}

const compare = (a: RowSeverity, b: RowSeverity): number =>
  compareSeverity(a.byRule, b.byRule) || compareKeys(a.score, b.score, { descending: false });
