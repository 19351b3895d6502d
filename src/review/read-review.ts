/**
 * A kept review as one value: the letter, --brief, --json, the page and --as-of print this, so that
 * their words and numbers cannot differ. It is made from one file alone.
 */
import { basename, dirname, resolve } from 'node:path';
import type { Node } from '../document/node.ts';
import { parsePath } from '../document/parse-path.ts';
import { SANDBOX_BASE_URL } from '../journal/journal.ts';
import { expressionToString, type Rule } from '../rules/rules.ts';
import { indexRun } from '../runs/index-run.ts';
import type { OpenedReview } from '../runs/kept-reviews.ts';
import { openRun, type RunHost, SILENT } from '../runs/open-run.ts';
import { type ReviewHeader, readRemovedLine } from '../runs/review-lines.ts';
import { isoDay } from '../text/when.ts';
import { isOpenAlarm } from './alarms.ts';
import { type Section, Sections } from './sections.ts';
import { isAdded, isJudgedAgain, isNews, isRemoved, removedFacts, type WalletFacts, walletFacts } from './wallet.ts';

/** How a rule differs from the one of that name in the base. */
export type RuleChange = 'new' | 'removed' | 'now watch' | 'now alarm' | 'changed';

/** A rule, with its counts in wallets. */
export interface RuleFigures {
  readonly name: string;
  readonly level: Rule['level'];
  readonly condition: string;
  readonly note: string | undefined;
  /** Undefined if it is as in the base, or if there is no base. */
  readonly change: RuleChange | undefined;
  /** The condition in the base, if it was another one. */
  readonly previousCondition: string | undefined;
  /** Alarms and watch matches that are not excused; `new` is how many of them are new. */
  matching: number;
  new: number;
  closed: number;
}

/**
 * The counts of a review, all 0. They count wallets, except `rows`, and except `open`, `new`,
 * `closed`, `watch` and `excused`, which count alarms by wallet and rule. A text that is not a
 * wallet counts as a wallet.
 */
const zeroCounts = () => ({
  rows: 0,
  wallets: 0,
  scored: 0,
  no_score: 0,
  invalid: 0,
  failed: 0,
  pending: 0,
  incomplete: 0,
  open: 0,
  new: 0,
  closed: 0,
  watch: 0,
  excused: 0,
  not_judged: 0,
  judged_again: 0,
  added: 0,
  removed: 0,
});

type ReviewCounts = ReturnType<typeof zeroCounts>;

export interface Review {
  /** The list by its file, or if it came from standard input, the folder of the reviews. */
  readonly name: string;
  readonly list: ReviewHeader['list'];
  readonly policy: ReviewHeader['policy'];
  /** YYYY-MM-DD, a UTC day. */
  readonly day: string;
  readonly isSandbox: boolean;
  /** Undefined if there was nothing to compare with. */
  readonly base: ReviewBase | undefined;
  readonly counts: ReviewCounts;
  readonly rules: readonly RuleFigures[];
  readonly sections: readonly Section[];
  /** The days before the review from which answers are, and of how many wallets each. */
  readonly earlierAnswers: readonly { readonly day: string; readonly wallets: number }[];
  readonly news: boolean;
  readonly exitCode: number;
}

export interface ReviewBase {
  readonly day: string;
  readonly file: string;
  /** Whether it is younger than --since asks for, since no review is old enough. */
  readonly isYoungerThanSince: boolean;
  /** Whether its scores were read by another path. */
  readonly hasOtherScore: boolean;
  /** Wallets on its list, and those that are on today's, too. */
  readonly wallets: number;
  readonly common: number;
}

/** @throws ListError for what riskcli has not written */
export async function readReview(kept: OpenedReview, host: RunHost): Promise<Review> {
  const { header, end, file } = kept;
  const { list, policy, rules, base, baseUrl } = header;
  const day = isoDay(file.started);
  const baseDay = base && isoDay(base.started);
  const sections = new Sections(rules);
  const tally = new Tally(rules, base?.rules, day);
  tally.counts.rows = end.rows;
  let hasNews = base === undefined;
  for await (const wallet of walletsOf(kept, day, host)) {
    const isWalletNews = baseDay !== undefined && isNews(wallet, { day, baseDay });
    hasNews ||= isWalletNews;
    sections.add(wallet, isWalletNews);
    tally.add(wallet);
  }
  return {
    name: list.name || basename(dirname(resolve(file.path))),
    list,
    policy,
    day,
    isSandbox: baseUrl === SANDBOX_BASE_URL,
    base: base && {
      day: isoDay(base.started),
      file: base.name,
      isYoungerThanSince: base.is_oldest,
      hasOtherScore: base.score !== header.score,
      ...tally.baseCounts,
    },
    counts: tally.counts,
    rules: tally.rules(),
    sections: sections.all(),
    earlierAnswers: tally.earlierAnswers(),
    news: hasNews,
    exitCode: end.exitCode,
  };
}

/** The wallets of the list in its order, then those that left it. */
async function* walletsOf(kept: OpenedReview, day: string, host: RunHost): AsyncGenerator<WalletFacts> {
  const { plain, header, end } = kept;
  const { labelColumn, score } = header;
  const reading = { day, labelColumn, scorePath: score === undefined ? undefined : parsePath(score) };
  const removed: WalletFacts[] = [];
  const options = {
    host,
    report: SILENT,
    onRemoved: (line: Node) => void removed.push(removedFacts(readRemovedLine(line))),
  };
  // Every wallet has one row: none need be put together.
  if (end.rows === end.distinct) {
    for await (const row of (await openRun(plain, options)).rows) {
      host.signal().throwIfAborted();
      yield walletFacts([row], reading);
    }
  } else {
    const run = await indexRun(plain, options);
    for (const key of run.index.keys()) {
      host.signal().throwIfAborted();
      const [first, ...others] = run.index.rowsOf(key);
      if (first) yield walletFacts([first, ...others], reading);
    }
    run.close();
  }
  yield* removed;
}

class Tally {
  readonly counts = zeroCounts();
  /** Wallets on the list of the base, and those that are on both lists. */
  readonly baseCounts = { wallets: 0, common: 0 };
  readonly #rules: Map<string, RuleFigures>;
  readonly #today: string;
  /** Wallets by the day of their answer, if that is an earlier one. */
  readonly #days = new Map<string, number>();

  constructor(rules: readonly Rule[], baseRules: readonly Rule[] | undefined, today: string) {
    this.#today = today;
    this.#rules = new Map(ruleFigures(rules, baseRules).map((rule) => [rule.name, rule]));
  }

  add(wallet: WalletFacts): void {
    const { counts, baseCounts } = this;
    const { status, previous, warning, notJudged, answeredAt = this.#today } = wallet;
    this.#addAlarms(wallet);
    if (isRemoved(wallet)) counts.removed += 1;
    if (isAdded(wallet)) counts.added += 1;
    if (isJudgedAgain(wallet)) counts.judged_again += 1;
    if (previous) baseCounts.wallets += 1;
    if (status === undefined) return;
    counts[status] += 1;
    counts.wallets += 1;
    if (previous) baseCounts.common += 1;
    if (warning !== undefined) counts.incomplete += 1;
    if (notJudged) counts.not_judged += 1;
    const day = answeredAt.slice(0, 10);
    if (day < this.#today) this.#days.set(day, (this.#days.get(day) ?? 0) + 1);
  }

  #addAlarms({ alarms, closed }: WalletFacts): void {
    const { counts } = this;
    for (const alarm of alarms) {
      const rule = this.#rules.get(alarm.rule);
      if (alarm.excused) counts.excused += 1;
      else if (isOpenAlarm(alarm)) counts.open += 1;
      else counts.watch += 1;
      if (alarm.excused || !rule) continue;
      rule.matching += 1;
      if (!alarm.isNew) continue;
      rule.new += 1;
      if (isOpenAlarm(alarm)) counts.new += 1;
    }
    for (const { rule } of closed) {
      counts.closed += 1;
      const figures = this.#rules.get(rule);
      if (figures) figures.closed += 1;
    }
  }

  rules(): readonly RuleFigures[] {
    return [...this.#rules.values()];
  }

  earlierAnswers(): Review['earlierAnswers'] {
    return [...this.#days].sort(([a], [b]) => (a < b ? -1 : 1)).map(([day, wallets]) => ({ day, wallets }));
  }
}

/** The rules of today, then those that only the base had. */
function ruleFigures(rules: readonly Rule[], baseRules: readonly Rule[] | undefined): readonly RuleFigures[] {
  const removed = (baseRules ?? []).filter(({ name }) => !rules.some((rule) => rule.name === name));
  return [...rules, ...removed].map(({ name, level, when, note }) => {
    const then = baseRules?.find((rule) => rule.name === name);
    const now = rules.find((rule) => rule.name === name);
    const [condition, previous] = [expressionToString(when), then && expressionToString(then.when)];
    return {
      name,
      level,
      condition,
      note,
      change: baseRules && ruleChange(now, then),
      previousCondition: previous === condition ? undefined : previous,
      matching: 0,
      new: 0,
      closed: 0,
    };
  });
}

function ruleChange(now: Rule | undefined, then: Rule | undefined): RuleChange | undefined {
  if (!then) return 'new';
  if (!now) return 'removed';
  if (now.level !== then.level) return `now ${now.level}`;
  return expressionToString(now.when) === expressionToString(then.when) ? undefined : 'changed';
}
