/**
 * Collects rows into the content of a report: figures of all rows, and the rows listed on its page.
 */

import type { Node } from '../../document/node.ts';
import { formatPath } from '../../document/path.ts';
import { cellText } from '../../document/write.ts';
import type { Row, Status } from '../../row/row.ts';
import { createTextCounts, type TextShares, textsOf } from '../../row/score-texts.ts';
import { type Level, ruleNamesIn } from '../../row/verdict.ts';
import { expressionLine, type Rule } from '../../rules/rules.ts';
import { collateralOf } from '../../runs/run.ts';
import { ownCopy } from '../../text/own-copy.ts';
import { type Distribution, distributionOf, numberOrNaN } from './distribution.ts';
import { MARKS, type Mark, MEASURES, type Measure } from './page-data.ts';
import { createPageRows, type PageRows, type PageRowsOptions, safeText } from './page-rows.ts';

export interface RuleTotals {
  readonly name: string;
  readonly level: Level;
  /** Unknown for a rule that only rows name. */
  readonly condition?: string | undefined;
  readonly note?: string | undefined;
  readonly matched: number;
  readonly unjudged: number;
  readonly excused: number;
}

/** Counts are of wallets: one that is listed twice counts once, by its first row. */
export interface Figures {
  readonly rows: number;
  readonly wallets: number;
  /** Wallets, and rows that are not wallets: the total for shares. */
  readonly all: number;
  readonly byStatus: Readonly<Record<Status, number>>;
  /** Those with a warning. */
  readonly incomplete: number;
  /** Times of the first and the last answer, ISO 8601 UTC; undefined if no row has one. */
  readonly oldest: string | undefined;
  readonly newest: string | undefined;
  /**
   * By what rules say of any of their rows; one that could not be judged counts only if nothing
   * matched.
   */
  readonly marked: Readonly<Record<Mark, number>>;
  readonly rules: readonly RuleTotals[];
  /** One of each measure, also of one without values. */
  readonly distributions: readonly Distribution[];
  /** The texts of the scores that have few values. */
  readonly texts: readonly TextShares[];
}

export interface Collected extends PageRows {
  readonly figures: Figures;
}

export function createCollector(options: PageRowsOptions) {
  const byStatus = { scored: 0, no_score: 0, invalid: 0, failed: 0, pending: 0 };
  const measured = { score: createMeasure(), collateral: createMeasure() };
  /** In the order of the numbers in `measured`. */
  const verdicts = new Map<string, RuleNames>();
  const [texts, joined, pageRows] = [createTextCounts(), createRuleNames(), createPageRows(options)];
  let [rows, wallets, incomplete] = [0, 0, 0];
  const times = createAnswerTimes();
  return {
    /** @throws UsageError if the first rows do not have the column named by --label */
    add(row: Row): void {
      const { status, warning, wallet, answeredAt } = row;
      rows += 1;
      times.observe(answeredAt);
      const own = textsOf(row.document);
      const numbers = { score: numberOrNaN(row.score), collateral: numberOrNaN(collateralOf(row)) };
      pageRows.add(row, { numbers, texts: own });
      const id = wallet?.toLowerCase() ?? `row ${rows}`;
      const before = verdicts.get(id);
      verdicts.set(before ? id : ownCopy(id), joined(row, before));
      if (before) return;
      if (wallet) wallets += 1;
      byStatus[status] += 1;
      if (warning !== undefined) incomplete += 1;
      measured.score.add(numbers.score, row.score);
      measured.collateral.add(numbers.collateral, collateralOf(row));
      texts.observe(own);
    },
    /** @throws UsageError as `add` does */
    end(): Collected {
      const isMatched = [...verdicts.values()].map(({ matched }) => matched.length > 0);
      const shares = texts.all();
      const figures = {
        rows,
        wallets,
        all: verdicts.size,
        byStatus,
        incomplete,
        ...times.ends(),
        ...ruleFigures(options.rules, verdicts.values()),
        distributions: MEASURES.map((measure) => measured[measure].distribution(measure, isMatched)),
        texts: shares.map(({ name, values }) => ({
          name: safeText(name),
          values: values.map(({ text, count }) => ({ text: safeText(text), count })),
        })),
      };
      return { figures, ...pageRows.end(shares.map(({ name }) => name)) };
    },
  };
}

/** The first and the last time of answers, in ISO 8601 UTC. */
function createAnswerTimes() {
  let [oldest, newest]: [string?, string?] = [];
  return {
    observe(at: string | undefined): void {
      if (at === undefined || !/^\d{4}-/.test(at)) return;
      if (oldest === undefined || at < oldest) oldest = at;
      if (newest === undefined || at > newest) newest = at;
    },
    ends: () => ({ oldest, newest }),
  };
}

/**
 * The numbers of one measure, NaN for a missing one: 8 MB for a million wallets, with exact
 * quantiles.
 */
function createMeasure() {
  const numbers: number[] = [];
  let unread = 0;
  let example: string | undefined;
  return {
    add(number: number, node: Node | undefined): void {
      numbers.push(number);
      if (!Number.isNaN(number) || cellText(node) === '') return;
      unread += 1;
      example ??= safeText(cellText(node));
    },
    distribution(measure: Measure, isMatched: readonly boolean[]): Distribution {
      const matched = numbers.filter((_, i) => isMatched[i]);
      return { ...distributionOf(measure, numbers, matched), unread, example };
    },
  };
}

/** The names of the rules that say something of a wallet, of all of its rows. */
type RuleNames = Readonly<Record<Mark, readonly string[]>>;

const NO_NAMES: RuleNames = { matched: [], watched: [], unjudged: [], excused: [] };

/**
 * Joins the results of rules for the rows of a wallet. Most wallets have the same results, which
 * are kept once.
 */
function createRuleNames() {
  const kept = new Map<string, RuleNames>();
  return (row: Row, before: RuleNames = NO_NAMES): RuleNames => {
    if (!row.verdicts?.length) return before;
    const joined = MARKS.map((mark) => [mark, [...new Set([...before[mark], ...ruleNamesIn(row, mark)])]]);
    const key = JSON.stringify(Object.fromEntries(joined));
    const names: RuleNames = kept.get(key) ?? JSON.parse(key);
    kept.set(key, names);
    return names;
  };
}

/** Rules that only rows name may be many. */
const MAX_RULES = 100;

/**
 * Counts wallets by what rules say of them, and by each rule: those of `asked`, then those that
 * rows name.
 */
function ruleFigures(asked: readonly Rule[], wallets: Iterable<RuleNames>): Pick<Figures, 'marked' | 'rules'> {
  const counts = new Map<RuleNames, number>();
  for (const names of wallets) counts.set(names, (counts.get(names) ?? 0) + 1);
  const marked = { matched: 0, watched: 0, unjudged: 0, excused: 0 };
  const rules = new Map(asked.map((rule) => [rule.name, ruleOf(rule.name, rule.level, rule)]));
  for (const [names, count] of counts) {
    for (const mark of MARKS) {
      if (names[mark].length > 0 && (mark !== 'unjudged' || names.matched.length === 0)) marked[mark] += count;
      for (const name of names[mark]) {
        const rule = rules.get(name) ?? ruleOf(name, mark === 'watched' ? 'watch' : 'alarm');
        if (rules.size < MAX_RULES) rules.set(name, rule);
        rule[mark === 'watched' ? 'matched' : mark] += count;
      }
    }
  }
  return { marked, rules: [...rules.values()] };
}

const ruleOf = (name: string, level: Level, rule?: Rule) => ({
  name: safeText(name),
  level,
  condition: rule && safeText(expressionLine(rule.when)),
  note: rule?.note && safeText(rule.note),
  matched: 0,
  unjudged: 0,
  excused: 0,
});

/** The path of a text of the score. */
export const fieldOf = (name: string): string => formatPath(['defi_score', name]);
