/**
 * What a run has written is still there after a power cut; and when all is over, nothing is there
 * but lists, outputs, journals that were named, and what was learned of the key.
 */
import type { RunRecord, Violation } from '../history.ts';
import {
  type Case,
  endOf,
  hasFinished,
  hasOwnJournal,
  isAnswer,
  isList,
  isReview,
  mayBeRefusal,
  wasCutShort,
} from './case.ts';
import { isKeptBy } from './reviews.ts';

const STATE = /\/riskcli\/(?:requests-[0-9a-f]{32}-\d{4}-\d{2}|limit-[0-9a-f]{32}\.json)$/;
const LOCK = /\.lock(?:\.|$)/;
const TEMPORARY = /\/\.[^/]+\.tmp$/;

export function* judgeLeftBehind(history: Case): Generator<Violation> {
  const { runs, files, lists } = history;
  for (const [path, text] of lists) {
    if (!files.get(path)?.equals(Buffer.from(text))) yield { rule: 'a list was changed', detail: path };
  }
  yield* judgeCuts(history);
  const meant = new Set(
    runs.flatMap((run) => [run.output, hasOwnJournal(run) && isList(run) ? undefined : run.journal]),
  );
  for (const path of files.keys()) {
    if (lists.has(path) || meant.has(path) || STATE.test(path)) continue;
    if (isKeptBy(path, runs.filter(isReview))) continue;
    if (history.isUnfinished(path)) continue;
    const rule = ruleFor(path, history);
    if (rule) yield { rule, detail: path };
  }
}

/** A run that has ended has brought its output to the disk. */
function* judgeCuts({ cuts = [], runs }: Case): Generator<Violation> {
  for (const { at, files } of cuts) {
    for (const run of runs) {
      if (!hasFinished(run) || endOf(run) > at) continue;
      const { output, written } = run;
      const isReplaced = runs.some(
        (other) => other !== run && other.output === output && endOf(other) > endOf(run) && other.startedAt <= at,
      );
      if (output === undefined || !written || isReplaced || files.get(output)?.equals(written)) continue;
      yield { rule: 'an output is gone after a power cut', detail: `run ${run.name}: ${output}` };
    }
  }
}

function ruleFor(path: string, history: Case): string | undefined {
  const { runs } = history;
  if (LOCK.test(path)) return 'a lock is left behind';
  const cutShort = runs.filter(wasCutShort);
  // Nobody tidies the folder of temporary files but the system.
  if (path.startsWith('/tmp/') && cutShort.length > 0) return undefined;
  if (TEMPORARY.test(path) || path.startsWith('/tmp/'))
    return mayStay(cutShort, history) ? undefined : 'a temporary file is left behind';
  if (hasOpenRefusals(path, history)) return undefined;
  return runs.some(({ journal }) => journal === path)
    ? 'the journal of a finished list is left behind'
    : 'a file is left behind';
}

/** A refusal after the last answer is not final: the next run asks again, so the journal stays. */
function hasOpenRefusals(path: string, { runs, sent }: Case): boolean {
  const last = runs.findLast(({ journal }) => journal === path);
  const requests = last ? sent(last) : [];
  const answeredAt = Math.max(...requests.filter(isAnswer).map(({ deliveredAt = 0 }) => deliveredAt));
  return requests.some((request) => mayBeRefusal(request) && (request.deliveredAt ?? answeredAt) > answeredAt);
}

/**
 * A kill leaves one of each file that is written. A power cut may undo a removal, and the disk may
 * refuse one.
 */
function mayStay(cutShort: readonly RunRecord[], { has, runs, files }: Case): boolean {
  const left = [...files.keys()].filter((path) => TEMPORARY.test(path)).length;
  // A review writes its kept file beside its output.
  const atOnce = ({ argv }: RunRecord) => 1 + Number(argv[0] === 'review');
  const most = cutShort.reduce((sum, run) => sum + atOnce(run), 0);
  return left <= most || has(/^power cut$/) || runs.some((run) => run.diskFaults > 0);
}
