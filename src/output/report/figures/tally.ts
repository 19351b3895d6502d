/** Counts the rows of a report by status, verdict and time, and makes foreign texts safe to show. */

import type { Status } from '../../../row/row.ts';
import type { Rule } from '../../../row/rules.ts';
import type { ResultRow } from '../../../runs/result.ts';
import { withholdPrivateKeys } from '../../../secrets/private-key.ts';

export interface RuleFigures {
  readonly name: string;
  readonly note?: string | undefined;
  readonly matched: number;
  readonly unjudged: number;
  readonly excused: number;
}

/** The rules of the policy; if empty, the rules named by the rows are used. */
export type AskedRules = readonly Pick<Rule, 'name' | 'note' | 'when'>[];

/** What rules say about a row. */
export interface Verdict {
  /** Names of rules. */
  readonly matched: readonly string[];
  /** Those that could not be judged. */
  readonly unjudged: readonly string[];
  /** Rules from which the row is excused, and why. */
  readonly excused: readonly { readonly rule: string; readonly text: string }[];
}

/** The verdict stored in a row that was read from a file; an excuse starts with the name of its rule. */
export const writtenVerdict = ({ matched, unjudged, excused }: ResultRow): Verdict => ({
  matched,
  unjudged,
  excused: excused.map((text) => ({ rule: text.split(': ', 1)[0] ?? '', text })),
});

/** A verdict with numbers of rules instead of names. */
export interface NumberedVerdict {
  readonly matched: readonly number[];
  readonly unjudged: readonly number[];
  readonly excused: readonly { readonly rule: number; readonly text: string }[];
}

/** In the order in which they are shown. */
const STATUSES: readonly Status[] = ['scored', 'no_score', 'failed', 'invalid', 'pending'];

export function createTally() {
  const statuses = new Map<Status, number>();
  const marked = { matched: 0, unjudged: 0, excused: 0 };
  let [rows, incomplete] = [0, 0];
  let [oldest, newest]: [string?, string?] = [];
  return {
    /** Counts a row. @returns its index in the list */
    observe({ status, warning, answeredAt: at }: ResultRow): number {
      if (status) statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (warning !== undefined) incomplete += 1;
      if (at !== undefined && /^\d{4}-/.test(at)) {
        if (oldest === undefined || at < oldest) oldest = at;
        if (newest === undefined || at > newest) newest = at;
      }
      return rows++;
    },
    /** Counts the verdict of the row. */
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

/** Numbers rules by name and counts their verdicts. */
export function createRuleNames(asked: AskedRules) {
  const none = { matched: 0, unjudged: 0, excused: 0 };
  const rules = new Map(asked.map(({ name, note }, number) => [name, { name, note, number, ...none }]));
  /** Counts each of `names`. @returns their numbers */
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
        note([name], 'excused').map((rule) => ({ rule, text: safeText(text) })),
      ),
    }),
    all: (): readonly RuleFigures[] =>
      [...rules.values()].map(({ number: _, ...figures }) => ({
        ...figures,
        name: safeText(figures.name),
        note: figures.note && safeText(figures.note),
      })),
  };
}

const MAX_TEXT_LENGTH = 500;

/** Foreign text without anything that may be a private key, cut to MAX_TEXT_LENGTH characters. */
export function safeText(text: string): string {
  const safe = withholdPrivateKeys(text.slice(0, 4 * MAX_TEXT_LENGTH));
  return safe.length > MAX_TEXT_LENGTH ? `${safe.slice(0, MAX_TEXT_LENGTH - 1)}…` : safe;
}
