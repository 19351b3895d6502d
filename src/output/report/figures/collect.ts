/** Reads rows into what a report says: the figures of all of them, and the rows that its page holds. */
import { isScalar, type Node } from '../../../document/node.ts';
import { lookup, memberOf } from '../../../document/path.ts';
import { writeCompact } from '../../../document/write.ts';
import type { ResultRow } from '../../../results/result.ts';
import type { Status } from '../../../row/row.ts';
import { cellText } from '../../../row/row-columns.ts';
import { withholdText } from '../../../secrets/mnemonic.ts';
import type { WalletFormat } from '../../../secrets/private-key.ts';
import { withholdTree } from '../../../secrets/tree.ts';
import type { PageRow } from '../page-data.ts';
import { createKeptRows, MAX_ROWS } from './kept-rows.ts';
import { createMeasures, type Measured, numberIn } from './measures.ts';
import { createShares, type Share } from './shares.ts';

/** What is known of a row beside the row. */
export interface Verdict {
  /** Names of rules. */
  readonly matched: readonly string[];
  /** Those that could not be judged. */
  readonly unjudged: readonly string[];
  readonly excused: readonly Excuse[];
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

/** A rule that the row does not count as matching, and why, in words. */
export interface Excuse {
  readonly rule: string;
  readonly text: string;
}

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
  readonly shares: readonly Share[];
  readonly rules: readonly RuleFigures[];
}

/** A row of the page, and its card as JSON; undefined where that would be too much to keep. */
export interface KeptRow {
  readonly row: PageRow;
  readonly card: Buffer | undefined;
}

export interface Collected {
  readonly figures: Figures;
  readonly kept: readonly KeptRow[];
}

export interface Collector {
  add(row: ResultRow, verdict: Verdict): void;
  end(): Collected;
}

export interface CollectorOptions {
  readonly format: WalletFormat;
  /** The rules that were asked for; without any those count that the rows name. */
  readonly rules: readonly Pick<RuleFigures, 'name' | 'note'>[];
}

const STATUSES: readonly Status[] = ['scored', 'no_score', 'failed', 'invalid', 'pending'];

export function createCollector({ format, rules }: CollectorOptions): Collector {
  const statuses = new Map<Status, number>();
  const [measures, shares, kept] = [createMeasures(), createShares(), createKeptRows<Draft>()];
  const [names, room] = [createRuleNames(rules), createRoom()];
  let [rows, incomplete] = [0, 0];
  let [oldest, newest]: [string?, string?] = [];

  function noteDate({ answeredAt: at }: ResultRow): void {
    if (at === undefined || !/^\d{4}-/.test(at)) return;
    if (oldest === undefined || at < oldest) oldest = at;
    if (newest === undefined || at > newest) newest = at;
  }

  function excusesOf({ excused }: Verdict): NonNullable<PageRow['excused']> {
    return excused.flatMap(({ rule: name, text }) =>
      names.note([name], 'excused').map((rule) => ({ rule, text: safeText(text, format) })),
    );
  }

  return {
    add(row, verdict) {
      const { status, score, collateral, warning } = row;
      if (status) statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (warning !== undefined) incomplete += 1;
      noteDate(row);
      const numbers = { score: numberIn(score), collateral: numberIn(collateral) };
      measures.add(numbers.score, numbers.collateral);
      const node = row.node();
      const seen = isAnswered(row) ? shares.observe(node) : undefined;
      const matched = names.note(verdict.matched, 'matched');
      const unjudged = names.note(verdict.unjudged, 'unjudged');
      const excused = excusesOf(verdict);
      const candidate = {
        place: rows++,
        isMatched: matched.length + excused.length > 0,
        isUnjudged: unjudged.length > 0,
        isChanged: verdict.change !== undefined && verdict.change !== 'same',
        isIncomplete: !isAnswered(row) || warning !== undefined,
        measures: numbers,
      };
      kept.offer(candidate, () => ({
        row: pageRow(row, { ...verdict, matched, unjudged, excused, format }),
        seen: seen?.slice(),
        card: room.take(candidate.place, () => Buffer.from(writeCompact(withholdTree(node, format)))),
      }));
    },
    end() {
      const found = shares.all();
      const drafts = kept.rows();
      return {
        figures: {
          rows,
          listed: drafts.length,
          statuses: STATUSES.flatMap((status) =>
            statuses.has(status) ? [[status, statuses.get(status) ?? 0] as const] : [],
          ),
          incomplete,
          oldest,
          newest,
          measured: measures.all(),
          shares: found.map((share) => safeShare(share, format)),
          rules: names.all().map((rule) => ({
            ...rule,
            name: safeText(rule.name, format),
            note: rule.note && safeText(rule.note, format),
          })),
        },
        kept: drafts.map(({ row, seen, card }) => ({
          row: seen && found.length > 0 ? { ...row, shares: found.map(({ numberIn }) => numberIn(seen)) } : row,
          card,
        })),
      };
    },
  };
}

/** A row whose fields with few values are not known yet. */
interface Draft extends KeptRow {
  readonly seen: Int8Array | undefined;
}

/** Where the file does not say what became of a row, it was written with --fields: of an answer, then. */
const isAnswered = ({ status }: ResultRow) => status === undefined || status === 'scored' || status === 'no_score';

const MAX_RULES = 100;

function createRuleNames(asked: CollectorOptions['rules']) {
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

function createRoom() {
  let [first, later] = [FIRST_ROOM, LATER_ROOM];
  return {
    /** Nothing when there is no more room. */
    take(place: number, make: () => Buffer): Buffer | undefined {
      const isFirst = place < MAX_ROWS;
      if ((isFirst ? first : later) <= 0) return undefined;
      const card = make();
      if (isFirst) first -= card.length;
      else later -= card.length;
      return card;
    },
  };
}

const MAX_TEXT_LENGTH = 500;

/** Text of others without what may be a private key, no longer than a page has room for. */
export function safeText(text: string, format: WalletFormat): string {
  const safe = withholdText(text.slice(0, 4 * MAX_TEXT_LENGTH), format);
  return safe.length > MAX_TEXT_LENGTH ? `${safe.slice(0, MAX_TEXT_LENGTH - 1)}…` : safe;
}

const safeShare = (share: Share, format: WalletFormat): Share => ({
  ...share,
  path: share.path.map((step) => (typeof step === 'string' ? safeText(step, format) : step)),
  values: share.values.map(({ text, count }) => ({ text: safeText(text, format), count })),
});

interface PageVerdict {
  readonly matched: readonly number[];
  readonly unjudged: readonly number[];
  readonly excused: NonNullable<PageRow['excused']>;
  readonly change?: string | undefined;
  readonly delta?: string | undefined;
  readonly format: WalletFormat;
}

function pageRow(row: ResultRow, { matched, unjudged, excused, change, delta, format }: PageVerdict): PageRow {
  const input = inputOf(row);
  const text = (value: string | undefined) =>
    value === undefined || value === '' ? undefined : safeText(value, format);
  const made: PageRow = {
    line: row.line,
    wallet: text(row.wallet?.address ?? (cellText(memberOf(row.node(), 'wallet_address')) || cellText(input))) ?? '',
    label: text(labelOf(row, input)),
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

const inputOf = (row: ResultRow): Node | undefined => lookup(row.node(), ['_meta', 'input']);

/** What the list's own columns say of the wallet. */
function labelOf({ wallet }: ResultRow, input: Node | undefined): string | undefined {
  if (input?.kind !== 'object') return undefined;
  const cells = input.members.filter(([, node]) => isScalar(node)).map(([, node]) => cellText(node).trim());
  return cells.filter((cell) => cell !== '' && cell.toLowerCase() !== wallet?.id).join(' · ');
}
