/**
 * Collects rows into the content of a report: figures of all rows, and the rows listed on its page.
 */

import type { Node } from '../../document/node.ts';
import { formatPath } from '../../document/path.ts';
import { cellText } from '../../document/write.ts';
import { reviewVerdicts } from '../../review/alarms.ts';
import type { Row, Status } from '../../row/row.ts';
import { createTextCounts, type TextShares, textsOf } from '../../row/score-texts.ts';
import { type Judged, type Level, ruleNamesIn } from '../../row/verdict.ts';
import { expressionToString, type Rule } from '../../rules/rules.ts';
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
  const measured = { score: createMeasure('score'), collateral: createMeasure('collateral') };
  /** What rules say of each wallet, or row that is none. */
  const verdicts = new Map<string, RuleNames>();
  const [counted, joined, pageRows] = [createTextCounts(), createRuleNames(), createPageRows(options)];
  let [rows, wallets, incomplete] = [0, 0, 0];
  let [oldest, newest]: [string?, string?] = [];
  return {
    add(row: Row): void {
      const { status, warning, wallet, answeredAt: at } = row;
      rows += 1;
      if (at !== undefined && /^\d{4}-/.test(at)) {
        if (oldest === undefined || at < oldest) oldest = at;
        if (newest === undefined || at > newest) newest = at;
      }
      const texts = textsOf(row.document);
      const judged = row.kept ? { verdicts: reviewVerdicts(row) } : row;
      pageRows.add(row, { texts, judged });
      const id = wallet?.toLowerCase() ?? `row ${rows}`;
      const before = verdicts.get(id);
      verdicts.set(before ? id : ownCopy(id), joined(judged, before));
      if (before) return;
      if (wallet) wallets += 1;
      byStatus[status] += 1;
      if (warning !== undefined) incomplete += 1;
      measured.score.add(row.score);
      measured.collateral.add(collateralOf(row));
      counted.observe(texts);
    },
    /** @throws UsageError if the rows do not have the column named by --label */
    end(): Collected {
      const texts = counted.all().map(({ name, values }) => ({
        name: safeText(name),
        values: values.map(({ text, count }) => ({ text: safeText(text), count })),
      }));
      const figures = {
        rows,
        wallets,
        all: verdicts.size,
        byStatus,
        incomplete,
        oldest,
        newest,
        ...ruleFigures(options.rules, verdicts.values()),
        distributions: MEASURES.map((measure) => measured[measure].distribution()),
        texts,
      };
      return { figures, ...pageRows.end(texts.map(({ name }) => name)) };
    },
  };
}

/** The numbers of one measure: 8 MB for a million wallets, with exact quantiles. */
function createMeasure(measure: Measure) {
  const numbers: number[] = [];
  let unread = 0;
  let example: string | undefined;
  return {
    add(node: Node | undefined): void {
      const number = numberOrNaN(node);
      if (!Number.isNaN(number)) numbers.push(number);
      else if (cellText(node) !== '') {
        unread += 1;
        example ??= safeText(cellText(node));
      }
    },
    distribution: (): Distribution => ({ ...distributionOf(measure, numbers), unread, example }),
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
  return (row: Judged, before: RuleNames = NO_NAMES): RuleNames => {
    if (!row.verdicts?.length) return before;
    const joined = MARKS.map((mark) => [mark, [...new Set([...before[mark], ...ruleNamesIn(row, mark)])]]);
    const key = JSON.stringify(Object.fromEntries(joined));
    const names: RuleNames = kept.get(key) ?? JSON.parse(key);
    kept.set(key, names);
    return names;
  };
}

/**
 * Counts the wallets that match, that cannot be judged and that are excused, in all and for each
 * rule: the rules of `asked`, then those that only rows name. A wallet that cannot be judged counts
 * only if nothing matched.
 */
function ruleFigures(asked: readonly Rule[], wallets: Iterable<RuleNames>) {
  const counts = new Map<RuleNames, number>();
  for (const names of wallets) counts.set(names, (counts.get(names) ?? 0) + 1);
  const marked = { matched: 0, watched: 0, unjudged: 0, excused: 0 };
  const rules = new Map(asked.map((rule) => [rule.name, ruleOf(rule.name, rule.level, rule)]));
  for (const [names, count] of counts) {
    for (const mark of MARKS) {
      if (names[mark].length > 0 && (mark !== 'unjudged' || names.matched.length === 0)) marked[mark] += count;
      for (const name of names[mark]) {
        const rule = rules.get(name) ?? ruleOf(name, mark === 'watched' ? 'watch' : 'alarm');
        rules.set(name, rule);
        rule[mark === 'watched' ? 'matched' : mark] += count;
      }
    }
  }
  return { marked, rules: [...rules.values()] };
}

/** @param rule unknown if only rows name it */
const ruleOf = (name: string, level: Level, rule?: Rule) => ({
  name: safeText(name),
  level,
  condition: rule && safeText(expressionToString(rule.when)),
  note: rule?.note && safeText(rule.note),
  matched: 0,
  unjudged: 0,
  excused: 0,
});

/** The path of a text of the score. */
export const fieldOf = (name: string): string => formatPath(['defi_score', name]);
