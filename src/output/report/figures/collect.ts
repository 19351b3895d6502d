/** Reads rows into what a report says: the figures of all of them, and the rows that its page holds. */

import type { Host } from '../../../context.ts';
import { lookup, memberOf } from '../../../document/path.ts';
import { cellText, writeCompact } from '../../../document/write.ts';
import { openRecordFile } from '../../../files/records/record-file.ts';
import type { ResultRow } from '../../../results/result.ts';
import type { Field } from '../../../row/fields.ts';
import { chooseLabel, type InputCell, inputCells, LABEL_ROWS } from '../../../row/label.ts';
import type { Status } from '../../../row/row.ts';
import type { Rule } from '../../../row/rules.ts';
import { withholdText } from '../../../secrets/mnemonic.ts';
import type { WalletFormat } from '../../../secrets/private-key.ts';
import { withholdTree } from '../../../secrets/tree.ts';
import type { PageRow } from '../page-data.ts';
import { createGroups, type Groups } from './groups.ts';
import { createKeptRows, MAX_ROWS } from './kept-rows.ts';
import { createMeasures, type Measured, numberIn } from './measures.ts';
import { type Severity, severityOf, worstFirst } from './severity.ts';
import { createShares, levelAmong, type Share } from './shares.ts';

/** What is known of a row beside the row. */
export interface Verdict {
  /** Names of rules. */
  readonly matched: readonly string[];
  /** Those that could not be judged. */
  readonly unjudged: readonly string[];
  /** Rules that the row does not count as matching, and why, in words. */
  readonly excused: readonly { readonly rule: string; readonly text: string }[];
  readonly change?: string | undefined;
  /** By how much the score rose. */
  readonly delta?: string | undefined;
}

/** What a row that was read back says of itself: an excuse is in words there, the rule before them. */
export const writtenVerdict = ({ matched, unjudged, excused }: ResultRow): Verdict => ({
  matched,
  unjudged,
  excused: excused.map((text) => ({ rule: text.split(': ', 1)[0] ?? '', text })),
});

export interface RuleFigures {
  readonly name: string;
  /** What the policy says about it. */
  readonly note?: string | undefined;
  readonly matched: number;
  readonly unjudged: number;
  readonly excused: number;
}

export interface Figures {
  readonly rows: number;
  /** Rows that are in the page as well. */
  readonly listed: number;
  /** The statuses that there are, in the order of their meaning. */
  readonly statuses: readonly (readonly [status: Status, rows: number])[];
  readonly incomplete: number;
  /** When the first and the last answer came, ISO 8601 UTC; undefined when no row says. */
  readonly oldest: string | undefined;
  readonly newest: string | undefined;
  readonly measured: Measured;
  /** The numbers of the rows that a rule matched. */
  readonly matched: Measured;
  /** Rows of which a rule says so, each counted once; what could not be judged only where nothing matched. */
  readonly marked: Readonly<Record<'matched' | 'unjudged' | 'excused', number>>;
  readonly shares: readonly Share[];
  readonly rules: readonly RuleFigures[];
  readonly groups: Groups | undefined;
  /** The column of the list whose texts are the rows' labels; undefined when there is none. */
  readonly label: string | undefined;
  /** Which of `shares` is nearest to the score, such as a level of risk; undefined when none is. */
  readonly level: number | undefined;
}

/** A whole row as JSON, which is read when it is called. */
export type Card = () => string;

export interface Collected {
  readonly figures: Figures;
  /** The rows of the page, each with its card as JSON; undefined where that would be too much to keep. */
  readonly kept: readonly { readonly row: PageRow; readonly card: Card | undefined }[];
  /** The places among `kept` of the rows that matched, the worst first. */
  readonly worst: readonly number[];
}

type KeptRow = Collected['kept'][number] & {
  readonly cells: readonly InputCell[];
  /** Of a row that matched. */
  readonly severity: Severity | undefined;
  readonly seen: Int8Array | undefined;
};

type AskedRules = readonly Pick<Rule, 'name' | 'note' | 'when'>[];

/**
 * @param rules those that were asked for; without any those count that the rows name
 * @param label --label: the column whose texts tell people which wallet is which
 */
export function createCollector({
  format,
  rules,
  label: wanted,
  by,
  hasCards,
  host,
}: {
  readonly format: WalletFormat;
  readonly rules: AskedRules;
  readonly label?: string | undefined;
  /** --by. */
  readonly by?: Field | undefined;
  /** Whether what is made of the rows shows whole ones: they wait on disk. */
  readonly hasCards: boolean;
  readonly host: Pick<Host, 'temporaryFolder'>;
}) {
  const [tally, measures, shares] = [createTally(), createMeasures(), createShares()];
  const groups = by && createGroups(by.name);
  const matchedMeasures = createMeasures();
  const cards = hasCards ? createCards(host) : undefined;
  const kept = createKeptRows<KeptRow>();
  const first: (readonly InputCell[])[] = [];
  let label: { readonly column: string | undefined } | undefined;
  const labelColumn = () => {
    label ??= { column: chooseLabel(first, { wanted, format }) };
    return label.column;
  };
  const names = createRuleNames(rules);
  const numbersOf = (verdict: Verdict) => ({
    matched: names.note(verdict.matched, 'matched'),
    unjudged: names.note(verdict.unjudged, 'unjudged'),
    excused: verdict.excused.flatMap(({ rule: name, text }) =>
      names.note([name], 'excused').map((rule) => ({ rule, text: safeText(text, format) })),
    ),
  });
  return {
    /** @throws UsageError when the first rows have no column that is called as --label says */
    add(row: ResultRow, verdict: Verdict): void {
      const place = tally.note(row);
      if (place < LABEL_ROWS) first.push(inputCells(row.input(), format));
      else labelColumn();
      const numbers = { score: numberIn(row.score), collateral: numberIn(row.collateral) };
      measures.add(numbers.score, numbers.collateral);
      const node = row.node();
      const seen = isAnswered(row) ? shares.observe(node) : undefined;
      const found = numbersOf(verdict);
      const isMatched = found.matched.length > 0;
      tally.mark(found);
      if (isMatched) matchedMeasures.add(numbers.score, numbers.collateral);
      if (by) groups?.add(safeText(cellText(lookup(node, by.path)), format), isMatched);
      const candidate = {
        place,
        isMatched: found.matched.length + found.excused.length > 0,
        isUnjudged: found.unjudged.length > 0,
        isChanged: verdict.change !== undefined && verdict.change !== 'same',
        isIncomplete: !isAnswered(row) || row.warning !== undefined,
        measures: numbers,
      };
      kept.offer(candidate, () => ({
        row: pageRow(row, { ...verdict, ...found }, format),
        cells: inputCells(row.input(), format),
        severity: isMatched ? severityOf(row, verdict.matched, rules) : undefined,
        seen: seen?.slice(),
        card: cards?.add(place, () => writeCompact(withholdTree(node, format))),
      }));
    },
    /** @throws UsageError as `add` does */
    end(): Collected {
      const found = shares.all();
      const column = labelColumn();
      const rows = kept.rows();
      return {
        figures: {
          ...tally.all(),
          listed: rows.length,
          measured: measures.all(),
          matched: matchedMeasures.all(),
          shares: found.map((share) => safeShare(share, format)),
          rules: names.all().map((rule) => safeRule(rule, format)),
          label: column,
          groups: groups?.all(measures.all()),
          level: levelAmong(found),
        },
        // Which fields have few values, and which column has the labels, was not known when a row was kept.
        kept: rows.map(({ row, cells, seen, card }) => ({
          row: {
            ...row,
            ...textsOf(cells, column, row.wallet),
            ...(seen && found.length > 0 && { shares: found.map(({ numberIn }) => numberIn(seen)) }),
          },
          card,
        })),
        worst: worstFirst(rows.map(({ severity }) => severity)),
      };
    },
    /** The cards are gone then. */
    close: () => cards?.close(),
  };
}

/** In the order of their meaning. */
const STATUSES: readonly Status[] = ['scored', 'no_score', 'failed', 'invalid', 'pending'];

/** Counts of rows, and when they were answered. */
function createTally() {
  const statuses = new Map<Status, number>();
  const marked = { matched: 0, unjudged: 0, excused: 0 };
  let [rows, incomplete] = [0, 0];
  let [oldest, newest]: [string?, string?] = [];
  return {
    /** The row's place in the list, from 0. */
    note({ status, warning, answeredAt: at }: ResultRow): number {
      if (status) statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (warning !== undefined) incomplete += 1;
      if (at !== undefined && /^\d{4}-/.test(at)) {
        if (oldest === undefined || at < oldest) oldest = at;
        if (newest === undefined || at > newest) newest = at;
      }
      return rows++;
    },
    /** Takes note of what the rules say of the row. */
    mark({ matched, unjudged, excused }: Readonly<Record<keyof typeof marked, readonly unknown[]>>): void {
      if (matched.length > 0) marked.matched += 1;
      else if (unjudged.length > 0) marked.unjudged += 1;
      if (excused.length > 0) marked.excused += 1;
    },
    all() {
      const found = STATUSES.map((status) => [status, statuses.get(status) ?? 0] as const);
      return { rows, statuses: found.filter(([, count]) => count > 0), incomplete, oldest, newest, marked };
    },
  };
}

/** Where the file does not say what became of a row, it was written with --fields: of an answer, then. */
const isAnswered = ({ status }: ResultRow) => status === undefined || status === 'scored' || status === 'no_score';

const MAX_RULES = 100;

function createRuleNames(asked: AskedRules) {
  const none = { matched: 0, unjudged: 0, excused: 0 };
  const rules = new Map(asked.map(({ name, note }, number) => [name, { name, note, number, ...none }]));
  return {
    /** The numbers of the rules called `names`, each counted once more. */
    note: (names: readonly string[], what: keyof typeof none): readonly number[] =>
      names.flatMap((name) => {
        const rule = rules.get(name) ?? { name, note: undefined, number: rules.size, ...none };
        if (rule.number >= Math.max(MAX_RULES, asked.length)) return [];
        rules.set(name, rule);
        rule[what] += 1;
        return [rule.number];
      }),
    all: (): readonly RuleFigures[] => [...rules.values()].map(({ number: _, ...figures }) => figures),
  };
}

/** Bytes of cards that are kept: of the first rows, which are all that most lists have, and of those that come later. */
const FIRST_ROOM = 48 * 1024 * 1024;
const LATER_ROOM = 24 * 1024 * 1024;

function createCards(host: Pick<Host, 'temporaryFolder'>) {
  const file = openRecordFile(host);
  let [first, later] = [FIRST_ROOM, LATER_ROOM];
  return {
    /** Nothing when there is no more room. @throws IoError */
    add(place: number, make: () => string): Card | undefined {
      const isFirst = place < MAX_ROWS;
      if ((isFirst ? first : later) <= 0) return undefined;
      const location = file.append(make());
      if (isFirst) first -= location.length;
      else later -= location.length;
      return () => file.read(location);
    },
    close: file.close,
  };
}

const MAX_TEXT_LENGTH = 500;

/** Text of others without what may be a private key, no longer than a page has room for. */
function safeText(text: string, format: WalletFormat): string {
  const safe = withholdText(text.slice(0, 4 * MAX_TEXT_LENGTH), format);
  return safe.length > MAX_TEXT_LENGTH ? `${safe.slice(0, MAX_TEXT_LENGTH - 1)}…` : safe;
}

const safeShare = (share: Share, format: WalletFormat): Share => ({
  ...share,
  path: share.path.map((step) => (typeof step === 'string' ? safeText(step, format) : step)),
  values: share.values.map(({ text, count }) => ({ text: safeText(text, format), count })),
});

const safeRule = (rule: RuleFigures, format: WalletFormat): RuleFigures => ({
  ...rule,
  name: safeText(rule.name, format),
  note: rule.note && safeText(rule.note, format),
});

/** @param verdict with numbers of rules for their names */
function pageRow(
  row: ResultRow,
  verdict: Required<Pick<PageRow, 'matched' | 'unjudged' | 'excused'>> & Pick<Verdict, 'change' | 'delta'>,
  format: WalletFormat,
): PageRow {
  const { matched, unjudged, excused, change, delta } = verdict;
  const text = (value: string | undefined) =>
    value === undefined || value === '' ? undefined : safeText(value, format);
  const made: PageRow = {
    line: row.line,
    wallet:
      text(row.wallet?.address ?? (cellText(memberOf(row.node(), 'wallet_address')) || cellText(row.input()))) ?? '',
    status: row.status,
    score: text(row.score && cellText(row.score)),
    collateral: text(cellText(row.collateral)),
    at: text(row.answeredAt),
    warning: text(row.warning),
    error: text(row.error),
    matched: matched.length > 0 ? matched : undefined,
    unjudged: unjudged.length > 0 ? unjudged : undefined,
    excused: excused.length > 0 ? excused : undefined,
    change,
    delta,
  };
  // A copy: what was cut out of a line would keep all of the line in memory.
  return JSON.parse(JSON.stringify(made));
}

/** What the list's own columns say of the wallet, which is told anyway. */
function textsOf(cells: readonly InputCell[], column: string | undefined, wallet: string) {
  const told = cells.filter(([, text]) => text !== '' && text.toLowerCase() !== wallet.toLowerCase());
  const others = told.filter(([name]) => name !== column).map(([, text]) => text);
  const label = told.find(([name]) => name === column)?.[1];
  return { ...(label !== undefined && { label }), ...(others.length > 0 && { others: others.join(' · ') }) };
}
