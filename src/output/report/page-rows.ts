/**
 * The rows listed on a page: all rows of a short list; of a longer one the extremes, then the rows
 * that matter, and then the first rows. They are chosen as they arrive, so memory is bounded
 * however long the list is.
 */

import { redactTree } from '../../document/redact-tree.ts';
import { cellText, writeCompact } from '../../document/write.ts';
import { chooseLabel, type InputCell, inputCells, LABEL_ROWS } from '../../row/label.ts';
import { findIn, inputNode, type Row, rowNode } from '../../row/row.ts';
import { compareKeys, type SortKey, sortKey } from '../../row/sort-key.ts';
import { excuseText } from '../../rules/row-columns.ts';
import type { Rule } from '../../rules/rules.ts';
import { compareSeverity, type Severity, severityOf } from '../../rules/worst-first.ts';
import { collateralOf, isAnswer } from '../../runs/run.ts';
import { redactPrivateKeys } from '../../secrets/private-key.ts';
import { ownCopy } from '../../text/own-copy.ts';
import { createTop } from '../../text/top.ts';
import { MEASURES, type Measure, type PageRow, textCalled, validWallet } from './page-data.ts';

/** A browser searches and sorts this many rows without delay. */
const MAX_PAGE_ROWS = 10_000;
/** Rows kept for each end of each measure. */
const MAX_EXTREMES = 250;
/** Characters of cards kept. */
const MAX_CARD_LENGTHS = { mattering: 24 * 1024 * 1024, other: 48 * 1024 * 1024 };

/** The rows that get a place where not all have one, those that matter most first. */
const KINDS_OF_ROWS: readonly ((row: Row) => boolean)[] = [
  ({ matched, watched, excused }) => hasItems(matched) || hasItems(watched) || hasItems(excused),
  ({ unjudged }) => hasItems(unjudged),
  ({ warning, status }) => warning !== undefined || !isAnswer(status),
];
const hasItems = (items: readonly unknown[] = []) => items.length > 0;

export interface PageRows {
  readonly listed: readonly ListedRow[];
  /** Indexes in `listed` of the rows that matched, worst first. */
  readonly worst: readonly number[];
  /** The list's column that holds the labels; undefined if there is none. */
  readonly label: string | undefined;
}

export interface ListedRow {
  readonly row: PageRow;
  /** The whole row as JSON; undefined if there was no room for it. */
  readonly card: string | undefined;
}

export interface PageRowsOptions {
  /** The rules that judged the rows, if they are known. */
  readonly rules: readonly Rule[];
  /** --label: the column that holds the labels. */
  readonly label?: string | undefined;
  /** Whether whole rows are needed, for cards. */
  readonly hasCards: boolean;
  /** The section of a review that has the row. */
  readonly sectionOf?: (row: Row) => string | undefined;
  /** Rows on the page at most. */
  readonly limit?: number;
}

/** What was found out about a row. */
interface RowFindings {
  /** NaN for a missing number. */
  readonly numbers: Readonly<Record<Measure, number>>;
  readonly texts: ReadonlyMap<string, string>;
}

interface KeptPageRow extends ListedRow {
  /** Index in the list. */
  readonly number: number;
  readonly cells: readonly InputCell[];
  /** Set for a row that matched: how bad it is, then its score. */
  readonly severity: readonly [Severity, SortKey] | undefined;
}

export function createPageRows(options: PageRowsOptions) {
  const { rules, hasCards, sectionOf, limit = MAX_PAGE_ROWS } = options;
  const first: (readonly InputCell[])[] = [];
  let label: { readonly column: string | undefined } | undefined;
  const labelColumn = () => {
    label ??= { column: chooseLabel(first, options.label) };
    return label.column;
  };
  const candidates = createCandidates(limit);
  const room = { ...MAX_CARD_LENGTHS };
  let count = 0;

  function keptRow(row: Row, found: RowFindings, which: keyof typeof room): KeptPageRow {
    const card = hasCards && room[which] > 0 ? ownCopy(writeCompact(redactTree(rowNode(row)))) : undefined;
    room[which] -= card?.length ?? 0;
    const bad = () => [severityOf(row, findIn(row), rules), sortKey(row.score)] as const;
    const severity = hasItems(row.matched) ? structuredClone(bad()) : undefined;
    const shown = { ...pageRow(row, found), section: sectionOf?.(row) };
    return { row: shown, card, number: count, cells: inputCells(row.input), severity };
  }

  return {
    /** @throws UsageError if the first rows do not have the column named by --label */
    add(row: Row, found: RowFindings): void {
      if (count < LABEL_ROWS) first.push(inputCells(row.input));
      else labelColumn();
      candidates.offer(row, found.numbers, (matters) => keptRow(row, found, matters ? 'mattering' : 'other'));
      count += 1;
    },
    /** @param few the names of texts that have few values */
    end(few: readonly string[]): PageRows {
      const column = labelColumn();
      const rows = candidates.chosen().sort((a, b) => a.number - b.number);
      const bad = new Set(rows.flatMap(({ row, severity }) => (severity ? [walletOrLine(row)] : [])));
      const listed = rows.map(({ row, cells, card }) => ({
        row: completed(row, { cells, column, few, isMatchedElsewhere: !row.matched && bad.has(walletOrLine(row)) }),
        card,
      }));
      return { listed, worst: worstRowIndexes(rows), label: column };
    },
  };
}

/**
 * Keeps the rows that may get a place: of each kind, and of all rows, the first `limit`, and the
 * extremes.
 */
function createCandidates(limit: number) {
  const lowest = () => createTop<number, KeptPageRow>(MAX_EXTREMES, (a, b) => a - b);
  const extremes = MEASURES.map((measure) => ({ measure, low: lowest(), high: lowest() }));
  const kinds = KINDS_OF_ROWS.map((holds) => ({ holds, kept: [] as KeptPageRow[] }));
  const all: KeptPageRow[] = [];
  return {
    /** @param make makes what is kept of the row, at most once */
    offer(row: Row, numbers: RowFindings['numbers'], make: (matters: boolean) => KeptPageRow): void {
      const own = kinds.filter(({ holds }) => holds(row)).map(({ kept }) => kept);
      let made: KeptPageRow | undefined;
      const keep = () => {
        made ??= make(own.length > 0);
        return made;
      };
      for (const list of [...own, all]) if (list.length < limit) list.push(keep());
      for (const { measure, low, high } of extremes) {
        if (Number.isNaN(numbers[measure])) continue;
        low.offer(numbers[measure], keep);
        high.offer(-numbers[measure], keep);
      }
    },
    chosen(): KeptPageRow[] {
      const ends = extremes.flatMap(({ low, high }) => [...low.all(), ...high.all()]);
      return [...new Set([...ends, ...kinds.flatMap(({ kept }) => kept), ...all])].slice(0, limit);
    },
  };
}

function pageRow(row: Row, { texts }: RowFindings): PageRow {
  const text = (value: string | undefined) => (value === undefined || value === '' ? undefined : safeText(value));
  const some = <T>(items: readonly T[] = []) => (items.length > 0 ? items : undefined);
  const input = inputNode(row.input);
  // An object holds the list's columns, which are shown separately.
  const inputText = input.kind === 'object' ? '' : cellText(input);
  return {
    line: row.line,
    wallet: text(row.wallet ?? inputText) ?? '',
    status: row.status,
    score: text(row.score && cellText(row.score)),
    collateral: text(cellText(collateralOf(row))),
    at: text(row.answeredAt),
    warning: text(row.warning),
    error: text(row.error?.message),
    matched: some(row.matched?.map(safeText)),
    watched: some(row.watched?.map(safeText)),
    unjudged: some(row.unjudged?.map(safeText)),
    excused: some(row.excused?.map((one) => ({ rule: safeText(one.rule), text: safeText(excuseText(one)) }))),
    texts: [...texts].map(([name, text]) => [ownCopy(name), safeText(text)]),
  };
}

interface KnownAtEnd {
  readonly cells: readonly InputCell[];
  readonly column: string | undefined;
  readonly few: readonly string[];
  readonly isMatchedElsewhere: boolean;
}

/**
 * Adds what is known only after the last row: the label, the other cells of the list, and the texts
 * that have few values.
 */
function completed(row: PageRow, { cells, column, few, isMatchedElsewhere }: KnownAtEnd): PageRow {
  const shown = cells.filter(([, text]) => text !== '' && text.toLowerCase() !== row.wallet.toLowerCase());
  const label = shown.find(([name]) => name === column)?.[1];
  const columns = shown.filter(([name]) => name !== column);
  const texts = few.flatMap((name) => {
    const text = textCalled(row, name);
    return text === undefined ? [] : [[safeText(name), text] as const];
  });
  return {
    ...row,
    label,
    columns: columns.length > 0 ? columns : undefined,
    isMatchedElsewhere: isMatchedElsewhere || undefined,
    wallet: row.wallet || `line ${row.line}`,
    texts: texts.length > 0 ? texts : undefined,
  };
}

const walletOrLine = (row: PageRow) => validWallet(row) ?? row.line;

/** Indexes of the rows that matched, worst first; of a wallet, the first such row. */
function worstRowIndexes(rows: readonly KeptPageRow[]): readonly number[] {
  const seen = new Set<string | number>();
  const bad = rows.flatMap(({ row, severity }, index) => {
    if (!severity || seen.has(walletOrLine(row))) return [];
    seen.add(walletOrLine(row));
    return [{ severity, index }];
  });
  const order = ([a, score]: readonly [Severity, SortKey], [b, other]: readonly [Severity, SortKey]) =>
    compareSeverity(a, b) || compareKeys(score, other, { descending: false });
  return bad.sort((a, b) => order(a.severity, b.severity) || a.index - b.index).map(({ index }) => index);
}

const MAX_PAGE_TEXT_LENGTH = 500;

/**
 * A copy of foreign text without anything that may be a private key, cut to MAX_PAGE_TEXT_LENGTH
 * characters.
 */
export function safeText(text: string): string {
  const safe = redactPrivateKeys(text.slice(0, 4 * MAX_PAGE_TEXT_LENGTH));
  return safe.length > MAX_PAGE_TEXT_LENGTH ? `${safe.slice(0, MAX_PAGE_TEXT_LENGTH - 1)}…` : ownCopy(safe);
}
