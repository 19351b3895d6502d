/**
 * Whether a history is a good one. Imports nothing of the program: a mistake of it would hide in
 * both. What is judged is what the service, people and the disk can see: the ledger, standard
 * output and error, exit codes, files.
 */
import type { History, Violation } from './history.ts';
import { judgeBudgets } from './judge/budgets.ts';
import { openCase } from './judge/case.ts';
import { judgeExits } from './judge/exits.ts';
import { judgeJournals } from './judge/journals.ts';
import { judgeLedger } from './judge/ledger.ts';
import { judgeLeftBehind } from './judge/left-behind.ts';
import { judgeReviews } from './judge/reviews.ts';
import { judgeRows } from './judge/rows.ts';

const JUDGES = [judgeLedger, judgeReviews, judgeRows, judgeJournals, judgeBudgets, judgeExits, judgeLeftBehind];

/** What is wrong with it: the worst first. */
export function judge(history: History): Violation[] {
  const seen = openCase(history);
  return [...history.seen, ...JUDGES.flatMap((judgeOne) => [...judgeOne(seen)])];
}
