/** Collects rows into the content of a report: figures of all rows, and the rows listed on its page. */
import { formatPath } from '../../document/path.ts';
import type { Row, Status } from '../../row/row.ts';
import { excuseText } from '../../row/row-columns.ts';
import { expressionLine, type Rule } from '../../row/rules.ts';
import { createTextCounts, type TextShares, textsOf } from '../../row/score-texts.ts';
import type { ResultRow } from '../../runs/result.ts';
import { type Distribution, distributionOf, numberIn } from './distribution.ts';
import { MARKS, type Mark, MEASURES } from './page-data.ts';
import { createPageRows, type PageRows, type PageRowsOptions, safeText, type Verdict } from './page-rows.ts';

export const verdictOf = ({ matched = [], unjudged = [], excused = [] }: Row | ResultRow): Verdict => ({
  matched,
  unjudged,
  excused: excused.map((one) => ({ rule: one.rule, text: excuseText(one) })),
});

export interface RuleFigures extends Record<Mark, number> {
  readonly name: string;
  /** Unknown of a rule that only rows name. */
  readonly condition?: string | undefined;
  readonly note?: string | undefined;
}

export interface Figures {
  readonly rows: number;
  readonly byStatus: Readonly<Record<Status, number>>;
  /** Rows with a warning. */
  readonly incomplete: number;
  /** Times of the first and the last answer, ISO 8601 UTC; undefined if no row has one. */
  readonly oldest: string | undefined;
  readonly newest: string | undefined;
  /** Rows by verdict; a row that could not be judged counts only if nothing matched. */
  readonly marked: Readonly<Record<Mark, number>>;
  readonly rules: readonly RuleFigures[];
  /** Of the measures that have numbers. */
  readonly distributions: readonly Distribution[];
  /** The texts of the scores that have few values. */
  readonly texts: readonly TextShares[];
}

export interface Collected extends PageRows {
  readonly figures: Figures;
}

export function createCollector(options: PageRowsOptions) {
  const byStatus = { scored: 0, no_score: 0, invalid: 0, failed: 0, pending: 0 };
  const marked = { matched: 0, unjudged: 0, excused: 0 };
  const measured = { score: [] as number[], collateral: [] as number[] };
  const matched = { score: [] as number[], collateral: [] as number[] };
  const [texts, rules, pageRows] = [createTextCounts(), createRuleFigures(options.rules), createPageRows(options)];
  let [rows, incomplete] = [0, 0];
  let [oldest, newest]: [string?, string?] = [];
  return {
    /** @throws UsageError if the first rows do not have the column named by --label */
    add(row: ResultRow, verdict: Verdict): void {
      const { status, warning, answeredAt: at } = row;
      rows += 1;
      if (status) byStatus[status] += 1;
      if (warning !== undefined) incomplete += 1;
      if (at !== undefined && /^\d{4}-/.test(at)) {
        if (oldest === undefined || at < oldest) oldest = at;
        if (newest === undefined || at > newest) newest = at;
      }
      const isMatched = verdict.matched.length > 0;
      if (isMatched) marked.matched += 1;
      else if (verdict.unjudged.length > 0) marked.unjudged += 1;
      if (verdict.excused.length > 0) marked.excused += 1;
      rules.observe(verdict);
      const numbers = { score: numberIn(row.score), collateral: numberIn(row.collateral) };
      for (const measure of MEASURES) {
        measured[measure].push(numbers[measure]);
        if (isMatched) matched[measure].push(numbers[measure]);
      }
      const own = textsOf(row.node());
      texts.observe(own);
      pageRows.add(row, { verdict, numbers, texts: own });
    },
    /** @throws UsageError as `add` does */
    end(): Collected {
      const distributions = MEASURES.flatMap(
        (measure) => distributionOf(measure, measured[measure], matched[measure]) ?? [],
      );
      const shares = texts.all();
      const figures = {
        ...{ rows, byStatus, incomplete, oldest, newest, marked, distributions },
        rules: rules.all(),
        texts: shares.map(({ name, values }) => ({
          name: safeText(name),
          values: values.map(({ text, count }) => ({ text: safeText(text), count })),
        })),
      };
      return { figures, ...pageRows.all(shares.map(({ name }) => name)) };
    },
  };
}

/** Rules that only rows name may be many. */
const MAX_RULES = 100;

/** Counts the verdicts of each rule: those of `asked`, then those that rows name. */
function createRuleFigures(asked: readonly Rule[]) {
  const none = { matched: 0, unjudged: 0, excused: 0 };
  const rules = new Map<string, RuleFigures>(
    asked.map(({ name, note, when }) => [name, { name, note, condition: expressionLine(when), ...none }]),
  );
  return {
    observe(verdict: Verdict): void {
      for (const mark of MARKS) {
        for (const one of verdict[mark]) {
          const name = typeof one === 'string' ? one : one.rule;
          const rule = rules.get(name) ?? { name, ...none };
          if (rules.size < MAX_RULES) rules.set(name, rule);
          rule[mark] += 1;
        }
      }
    },
    all: (): readonly RuleFigures[] =>
      [...rules.values()].map((rule) => ({
        ...rule,
        name: safeText(rule.name),
        condition: rule.condition && safeText(rule.condition),
        note: rule.note && safeText(rule.note),
      })),
  };
}

/** The path of a text of the score. */
export const fieldOf = (name: string): string => formatPath(['defi_score', name]);
