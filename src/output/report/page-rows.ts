/**
 * The rows listed on a page: all rows of a short list; of a longer one those of the sections first,
 * then the worst. They are chosen as they arrive, so memory is bounded however long the list is.
 */

import { redactTree } from '../../document/redact-tree.ts';
import { cellText, writeCompact } from '../../document/write.ts';
import { chooseLabel, type InputCell, inputCells, LABEL_ROWS } from '../../row/label.ts';
import { inputNode, type Row } from '../../row/row.ts';
import { findIn, rowNode } from '../../row/row-node.ts';
import { ruleNamesIn, ruleText, verdictsIn } from '../../row/verdict.ts';
import type { Rule } from '../../rules/rules.ts';
import { compareSeverity, type Severity, severityOf } from '../../rules/worst-first.ts';
import { collateralOf } from '../../runs/run.ts';
import { redactPrivateKeys } from '../../secrets/private-key.ts';
import { ownCopy } from '../../text/own-copy.ts';
import { createTop } from '../../text/top.ts';
import { MARKS, type Mark, type Measure, type PageRow, textCalled } from './page-data.ts';

/** A browser searches and sorts this many rows without delay. */
const MAX_PAGE_ROWS = 10_000;
const MAX_CARDS = 1_000;
/** Characters of a card. An answer may have 4 MB; a thousand cards of this length are 64 MB. */
const MAX_CARD_LENGTH = 64 * 1024;

export interface PageRows {
  /** In the order of the list. */
  readonly listed: readonly PageRow[];
  /** Indexes in `listed`: the rows of the sections first, then the worst. */
  readonly ranked: readonly number[];
  /** The list's column that holds the labels; undefined if there is none. */
  readonly label: string | undefined;
}

/** A section of a review and its place among the sections. */
export interface RowSection {
  readonly name: string;
  readonly place: number;
}

export interface PageRowsOptions {
  /** The rules that judged the rows, if they are known. */
  readonly rules: readonly Rule[];
  /** --label: the column that holds the labels. */
  readonly label?: string | undefined;
  /** Whether the page shows cards. */
  readonly hasCards: boolean;
  /** The section of a review that has the row. Without it, rules divide the rows. */
  readonly sectionOf?: (row: Row) => RowSection | undefined;
}

/** What was found out about a row. */
interface RowFindings {
  /** NaN for a missing number. */
  readonly numbers: Readonly<Record<Measure, number>>;
  readonly texts: ReadonlyMap<string, string>;
}

/** A row and what is needed to complete it when all rows are known. */
interface KeptRow {
  readonly row: PageRow;
  /** Index in the list. */
  readonly number: number;
  readonly cells: readonly InputCell[];
}

export function createPageRows({ rules, label: wanted, hasCards, sectionOf }: PageRowsOptions) {
  const first: (readonly InputCell[])[] = [];
  let label: { readonly column: string | undefined } | undefined;
  const labelColumn = () => {
    label ??= { column: chooseLabel(first, wanted) };
    return label.column;
  };
  const rows = createTop<Rank, KeptRow>(MAX_PAGE_ROWS, compareRanks);
  const cards = createTop<Rank, readonly [number: number, text: string]>(hasCards ? MAX_CARDS : 0, compareRanks);
  return {
    /** @throws UsageError if the first rows do not have the column named by --label */
    add(row: Row, { numbers, texts }: RowFindings): void {
      const number = rows.count;
      if (number < LABEL_ROWS) first.push(inputCells(row.input));
      else labelColumn();
      const section = sectionOf?.(row);
      const severity = severityOf(ruleNamesIn(row, 'matched'), findIn(row), rules);
      const rank = {
        section: (sectionOf ? section?.place : placeByMark(row)) ?? Number.POSITIVE_INFINITY,
        // A copy, so that a kept key does not keep the text of its file in memory.
        severity: severity.key.kind === 'none' ? severity : structuredClone(severity),
        collateral: Number.isNaN(numbers.collateral) ? Number.NEGATIVE_INFINITY : numbers.collateral,
      };
      rows.offer(rank, () => {
        const shown = { ...pageRow(row, texts), section: section?.name };
        return { row: shown, number, cells: inputCells(row.input) };
      });
      cards.offer(rank, () => [number, cardText(row)]);
    },
    /** @param few the names of texts that have few values */
    end(few: readonly string[]): PageRows {
      const column = labelColumn();
      const texts = new Map(cards.all());
      const kept = [...rows.all()].sort((a, b) => a.number - b.number);
      const places = new Map(kept.map((one, place) => [one, place]));
      return {
        listed: kept.map((one) => ({ ...completed(one, { column, few }), card: texts.get(one.number) || undefined })),
        ranked: rows.all().flatMap((one) => places.get(one) ?? []),
        label: column,
      };
    },
  };
}

interface Rank {
  /** The place of its section; infinite for a row of no section. */
  readonly section: number;
  readonly severity: Severity;
  /** Negative infinity for a row without one. */
  readonly collateral: number;
}

/** The section first, then the worst by its rule, then the largest collateral. */
function compareRanks(a: Rank, b: Rank): number {
  // A difference of infinities would be no number.
  if (a.section !== b.section) return a.section < b.section ? -1 : 1;
  const bySeverity = compareSeverity(a.severity, b.severity);
  if (bySeverity !== 0 || a.collateral === b.collateral) return bySeverity;
  return a.collateral > b.collateral ? -1 : 1;
}

function placeByMark(row: Row): number | undefined {
  const place = MARKS.findIndex((mark) => ruleNamesIn(row, mark).length > 0);
  return place < 0 ? undefined : place;
}

/** The whole row as JSON; empty if it is too long for a card. */
function cardText(row: Row): string {
  const text = writeCompact(redactTree(rowNode(row)));
  return text.length > MAX_CARD_LENGTH ? '' : ownCopy(text);
}

function pageRow(row: Row, texts: RowFindings['texts']): PageRow {
  const text = (value: string | undefined) => (value === undefined || value === '' ? undefined : safeText(value));
  const names = (mark: Mark) => someOf(ruleNamesIn(row, mark).map(safeText));
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
    matched: names('matched'),
    watched: names('watched'),
    unjudged: names('unjudged'),
    excused: someOf(
      verdictsIn(row, 'excused').map((one) => ({ rule: safeText(one.rule), text: safeText(ruleText(one)) })),
    ),
    texts: [...texts].map(([name, text]) => [ownCopy(name), safeText(text)]),
  };
}

const someOf = <T>(items: readonly T[]): readonly T[] | undefined => (items.length > 0 ? items : undefined);

interface KnownAtEnd {
  readonly column: string | undefined;
  readonly few: readonly string[];
}

/** Adds the label, the other cells of the list, and the texts that have few values. */
function completed({ row, cells }: KeptRow, { column, few }: KnownAtEnd): PageRow {
  const shown = cells.filter(([, text]) => text !== '' && text.toLowerCase() !== row.wallet.toLowerCase());
  const texts = few.flatMap((name) => {
    const text = textCalled(row, name);
    return text === undefined ? [] : [[safeText(name), text] as const];
  });
  return {
    ...row,
    label: shown.find(([name]) => name === column)?.[1],
    columns: someOf(shown.filter(([name]) => name !== column)),
    wallet: row.wallet || `line ${row.line}`,
    texts: someOf(texts),
  };
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
