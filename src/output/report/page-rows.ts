/**
 * The rows listed on a page: all rows of a short list; of a longer one those of the sections first,
 * then the worst. They are chosen as they arrive, so memory is bounded however long the list is.
 */

import { redactTree } from '../../document/redact-tree.ts';
import { cellText, writeCompact } from '../../document/write.ts';
import { chooseLabel, inputCells, LABEL_ROWS } from '../../row/label.ts';
import { inputNode, type Row, type RowInput } from '../../row/row.ts';
import { findIn, rowNode } from '../../row/row-node.ts';
import { type Judged, ruleNamesIn, ruleText, verdictsIn } from '../../row/verdict.ts';
import type { Rule } from '../../rules/rules.ts';
import { compareSeverity, type Severity, severityOf } from '../../rules/worst-first.ts';
import { collateralOf } from '../../runs/run.ts';
import { redactPrivateKeys } from '../../secrets/private-key.ts';
import { ownCopy } from '../../text/own-copy.ts';
import { createTop } from '../../text/top.ts';
import { numberOrNaN } from './distribution.ts';
import { MARKS, type Mark, type PageRow, type PageVerdict } from './page-data.ts';

/** A browser searches and sorts this many rows without delay. */
const MAX_PAGE_ROWS = 10_000;
const MAX_CARDS = 1_000;
/** Characters of a card. An answer may have 4 MB; a thousand cards of this length are 64 MB. */
const MAX_CARD_LENGTH = 64 * 1024;

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

interface Found {
  /** The texts of its score. */
  readonly texts: ReadonlyMap<string, string>;
  /** By its review, or else by its run. */
  readonly judged: Judged;
}

export interface PageRows {
  /** In the order of the list. */
  readonly listed: readonly PageRow[];
  /** Indexes in `listed`: the rows of the sections first, then the worst. */
  readonly ranked: readonly number[];
  /** The list's column that holds the labels; undefined if there is none. */
  readonly label: string | undefined;
}

export function createPageRows({ rules, label: wanted, hasCards, sectionOf }: PageRowsOptions) {
  const first: RowInput[] = [];
  /** With their indexes in the list. */
  const rows = createTop<Rank, readonly [number: number, row: PageRow]>(MAX_PAGE_ROWS, compareRanks);
  const cards = createTop<Rank, readonly [number: number, text: string]>(hasCards ? MAX_CARDS : 0, compareRanks);
  return {
    add(row: Row, found: Found): void {
      const { judged } = found;
      const number = rows.count;
      if (number < LABEL_ROWS) first.push(row.input);
      const section = sectionOf?.(row);
      const collateral = numberOrNaN(collateralOf(row));
      const severity = severityOf(ruleNamesIn(judged, 'matched'), findIn(row), rules);
      const rank = {
        section: (sectionOf ? section?.place : placeByMark(judged)) ?? Number.POSITIVE_INFINITY,
        // A copy, so that a kept key does not keep the text of its file in memory.
        severity: severity.key.kind === 'none' ? severity : structuredClone(severity),
        collateral: Number.isNaN(collateral) ? Number.NEGATIVE_INFINITY : collateral,
      };
      rows.offer(rank, () => [number, { ...pageRow(row, found), section: section?.name }]);
      cards.offer(rank, () => [number, cardText(row)]);
    },
    /**
     * @param few the names of texts that have few values
     * @throws UsageError if the first rows do not have the column named by --label
     */
    end(few: readonly string[]): PageRows {
      const label = chooseLabel(first, wanted);
      const texts = new Map(cards.all());
      const kept = [...rows.all()].sort(([a], [b]) => a - b);
      const places = new Map(kept.map(([number], place) => [number, place]));
      const completedRow = (row: PageRow, number: number): PageRow => ({
        ...completed(row, label, few),
        card: texts.get(number) || undefined,
      });
      return {
        /** In the order of the list. */
        listed: kept.map(([number, row]) => completedRow(row, number)),
        /** Indexes in `listed`: the rows of the sections first, then the worst. */
        ranked: rows.all().flatMap(([number]) => places.get(number) ?? []),
        /** The list's column that holds the labels; undefined if there is none. */
        label,
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

function placeByMark(row: Judged): number | undefined {
  const place = MARKS.findIndex((mark) => ruleNamesIn(row, mark).length > 0);
  return place < 0 ? undefined : place;
}

/** The whole row as JSON; empty if it is too long for a card. */
function cardText(row: Row): string {
  const text = writeCompact(redactTree(rowNode(row)));
  return text.length > MAX_CARD_LENGTH ? '' : ownCopy(text);
}

function pageRow(row: Row, { texts, judged }: Found): PageRow {
  const text = (value: string | undefined) => (value === undefined || value === '' ? undefined : safeText(value));
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
    verdicts: MARKS.flatMap((mark) => marksOf(mark, row, judged)),
    columns: inputCells(row.input),
    texts: [...texts].map(([name, text]) => [safeText(name), safeText(text)]),
  };
}

/** A wallet that a review did not judge has the reason, which names the rules. */
function marksOf(mark: Mark, { kept }: Row, judged: Judged): readonly PageVerdict[] {
  if (mark === 'unjudged' && kept)
    return kept.notJudged ? [{ mark, rule: '', text: safeText(kept.notJudged.reason) }] : [];
  return verdictsIn(judged, mark).map((one) => ({ mark, rule: safeText(one.rule), text: safeText(ruleText(one)) }));
}

const someOf = <T>(items: readonly T[]): readonly T[] | undefined => (items.length > 0 ? items : undefined);

/** Separates the label from the list's other cells, and drops the texts that have many values. */
function completed(row: PageRow, label: string | undefined, few: readonly string[]): PageRow {
  const { wallet, columns = [], texts = [] } = row;
  const shown = columns.filter(([, text]) => text !== '' && text.toLowerCase() !== wallet.toLowerCase());
  return {
    ...row,
    wallet: wallet || `line ${row.line}`,
    label: shown.find(([name]) => name === label)?.[1],
    columns: someOf(shown.filter(([name]) => name !== label)),
    texts: someOf(texts.filter(([name]) => few.includes(name))),
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
