/** Counts of the rows of a report: by status, by what rules say of them, and when they were answered; texts of others in it. */
import type { ResultRow } from '../../../results/result.ts';
import type { Status } from '../../../row/row.ts';
import type { Rule } from '../../../row/rules.ts';
import { withholdText } from '../../../secrets/mnemonic.ts';
import type { WalletFormat } from '../../../wallet-format.ts';

export interface RuleFigures {
  readonly name: string;
  /** What the policy says about it. */
  readonly note?: string | undefined;
  readonly matched: number;
  readonly unjudged: number;
  readonly excused: number;
}

/** The rules that were asked for; without any those count that the rows name. */
export type AskedRules = readonly Pick<Rule, 'name' | 'note' | 'when'>[];

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

/** The same with the numbers of the rules for their names. */
export interface NumberedVerdict {
  readonly matched: readonly number[];
  readonly unjudged: readonly number[];
  readonly excused: readonly { readonly rule: number; readonly text: string }[];
}

/** In the order of their meaning. */
const STATUSES: readonly Status[] = ['scored', 'no_score', 'failed', 'invalid', 'pending'];

export function createTally() {
  const statuses = new Map<Status, number>();
  const marked = { matched: 0, unjudged: 0, excused: 0 };
  let [rows, incomplete] = [0, 0];
  let [oldest, newest]: [string?, string?] = [];
  return {
    /** The row's number in the list, from 0. */
    observe({ status, warning, answeredAt: at }: ResultRow): number {
      if (status) statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (warning !== undefined) incomplete += 1;
      if (at !== undefined && /^\d{4}-/.test(at)) {
        if (oldest === undefined || at < oldest) oldest = at;
        if (newest === undefined || at > newest) newest = at;
      }
      return rows++;
    },
    /** Takes note of what the rules say of the row. */
    mark({ matched, unjudged, excused }: NumberedVerdict): void {
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

const MAX_RULES = 100;

/** The rules that are named, as numbers. */
export function createRuleNames(asked: AskedRules, format: WalletFormat) {
  const none = { matched: 0, unjudged: 0, excused: 0 };
  const rules = new Map(asked.map(({ name, note }, number) => [name, { name, note, number, ...none }]));
  /** The numbers of the rules called `names`, each counted once more. */
  const note = (names: readonly string[], what: keyof typeof none): readonly number[] =>
    names.flatMap((name) => {
      const rule = rules.get(name) ?? { name, note: undefined, number: rules.size, ...none };
      if (rule.number >= Math.max(MAX_RULES, asked.length)) return [];
      rules.set(name, rule);
      rule[what] += 1;
      return [rule.number];
    });
  return {
    note: ({ matched, unjudged, excused }: Verdict): NumberedVerdict => ({
      matched: note(matched, 'matched'),
      unjudged: note(unjudged, 'unjudged'),
      excused: excused.flatMap(({ rule: name, text }) =>
        note([name], 'excused').map((rule) => ({ rule, text: safeText(text, format) })),
      ),
    }),
    all: (): readonly RuleFigures[] =>
      [...rules.values()].map(({ number: _, ...figures }) => ({
        ...figures,
        name: safeText(figures.name, format),
        note: figures.note && safeText(figures.note, format),
      })),
  };
}

const MAX_TEXT_LENGTH = 500;

/** Text of others without what may be a private key, no longer than a page has room for. */
export function safeText(text: string, format: WalletFormat): string {
  const safe = withholdText(text.slice(0, 4 * MAX_TEXT_LENGTH), format);
  return safe.length > MAX_TEXT_LENGTH ? `${safe.slice(0, MAX_TEXT_LENGTH - 1)}…` : safe;
}
