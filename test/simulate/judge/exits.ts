/**
 * Exit codes and messages are those of the table, each with its cause; a signal is obeyed in time;
 * no key is anywhere.
 */
import type { RunRecord, SentRequest, Violation } from '../history.ts';
import {
  type Case,
  endOf,
  flagOf,
  formatOf,
  isAnswer,
  isList,
  isOfAnotherService,
  isRefusal,
  isReview,
  mayBeAnswer,
  mayBeRefusal,
  patienceOf,
  walletsOf,
} from './case.ts';

export function* judgeExits(history: Case): Generator<Violation> {
  for (const run of history.runs) {
    const say = (rule: string, detail: string) => ({ rule, detail: `run ${run.name}: ${detail}` });
    if (run.how === 'exit') {
      const { exitCode = -1 } = run;
      const hasCause = CAUSES[exitCode];
      if (!hasCause?.(history, run, history.sent(run))) yield say(`exit ${exitCode} without a cause`, run.stderr);
      const wrong = wrongMessage(run);
      if (wrong) yield say(wrong, `exit ${exitCode}: ${run.stderr}`);
    }
    const [signal] = run.signals;
    const limit = STOP_MS + patienceOf(history, run);
    if (signal && endOf(run) - signal.at > limit)
      yield say('a signal is not obeyed in time', `${endOf(run) - signal.at} ms`);
    yield* judgeSecrets(history, run);
  }
}

/** After a signal eight seconds are for what is on its way; `docker stop` waits ten. */
const STOP_MS = 10_000;

type Cause = (history: Case, run: RunRecord, sent: readonly SentRequest[]) => boolean;

const UNTRUSTED =
  /^(?:html|empty|truncated|array|null|bad utf8|other wallet|no collateral|score list|encoded|too long|close in the body|status 30\d)$/;
const fails: Cause = ({ has }, { diskFaults }) =>
  diskFaults > 0 || has(/^disk nearly full$|^journal removed$|^failing call/);
const isSignalled =
  (signal: string) =>
  (_: Case, { signals }: RunRecord) =>
    signals[0]?.signal === signal;
const hasStatus =
  (...statuses: number[]): Cause =>
  (_history, _run, sent) =>
    sent.some(({ status }) => statuses.includes(status ?? 0));
const hasFlag =
  (flag: string): Cause =>
  (_history, { argv }) =>
    argv.includes(flag);

/**
 * For each code: what must have been, for a run to end so. A code that is not here is never right.
 */
const CAUSES: Readonly<Record<number, Cause>> = {
  0: (history, run) => !isList(run) || isAllAnswered(history, run),
  // A path of a flag that no answer had; the journal of another service.
  2: ({ runs }, run) =>
    isOfAnotherService(run)
      ? runs.some((other) => other.journal === run.journal && other.env.RISKCLI_BASE_URL !== run.env.RISKCLI_BASE_URL)
      : run.diskFaults > 0 || flagOf(run, '--fields') !== undefined || flagOf(run, '--fail-if') !== undefined,
  // A review is kept when some wallets got no answer in the end.
  3: (history, run, sent) => !isList(run) || isRefused(history, run) || (isReview(run) && hasNoAnswer(sent)),
  4: hasStatus(401, 402, 403),
  5: (_history, _run, sent) => hasNoAnswer(sent),
  6: (_history, _run, sent) =>
    sent.some(({ fault, status = 200 }) => UNTRUSTED.test(fault ?? '') || (status >= 400 && status < 500)),
  7: (history, run, sent) =>
    hasStatus(429)(history, run, sent) ||
    hasFlag('--max-requests')(history, run, sent) ||
    run.env.RISKCLI_MONTHLY_REQUESTS !== undefined,
  8: (history, run, sent) => fails(history, run, sent) || !isList(run) || hasLostJournal(history, run),
  9: (history, run, sent) => fails(history, run, sent) || !isList(run) || walletsOf(history, run).length === 0,
  // In a review, an alarm of an earlier one may have left with its wallet.
  10: ({ runs }, run) =>
    [run, ...(isReview(run) ? runs.filter((other) => isReview(other) && other.journal === run.journal) : [])].some(
      ({ argv }) => argv.includes('--fail-if'),
    ),
  11: (history, run) => isContested(history, run),
  129: isSignalled('SIGHUP'),
  130: isSignalled('SIGINT'),
  141: (_history, { readerTakes }) => readerTakes !== undefined,
  143: isSignalled('SIGTERM'),
};

const hasNoAnswer = (sent: readonly SentRequest[]) => sent.some((request) => !isAnswer(request) && !isRefusal(request));

function settledWallets({ requests }: Case, run: RunRecord, isSettled: (request: SentRequest) => boolean): Set<string> {
  const settled = requests.filter((one) => isSettled(one) && (one.deliveredAt ?? one.sentAt) <= endOf(run));
  return new Set(settled.map(({ wallet }) => wallet));
}

function isAllAnswered(history: Case, run: RunRecord): boolean {
  const answered = settledWallets(history, run, mayBeAnswer);
  return walletsOf(history, run).every((wallet) => wallet !== undefined && answered.has(wallet));
}

function isRefused(history: Case, run: RunRecord): boolean {
  const refused = settledWallets(history, run, mayBeRefusal);
  return walletsOf(history, run).some((wallet) => wallet === undefined || refused.has(wallet));
}

/**
 * An earlier run has the journal, or has left a lock that nobody can see through; or somebody, or
 * time, has taken the lock away.
 */
function isContested({ runs, has, wall }: Case, run: RunRecord): boolean {
  const others = runs.filter(
    (other) => other !== run && other.journal === run.journal && other.startedAt <= endOf(run),
  );
  const isNear = (other: RunRecord) =>
    endOf(other) >= run.startedAt - LOCK_MS || wall(endOf(other)) >= wall(run.startedAt) - LOCK_MS;
  const isFirst = (other: RunRecord) =>
    other.startedAt <= run.startedAt || has(/^halt|^suspend|^clock|^failing call|^slow disk$/);
  if (run.journal === undefined) return false;
  return run.diskFaults > 0 || has(/^lock deleted$/) || others.some((other) => isNear(other) && isFirst(other));
}

/**
 * It was halted, its lock was deleted, and another run has come to its end with the journal
 * meanwhile.
 */
function hasLostJournal({ runs, during }: Case, run: RunRecord): boolean {
  const isMeanwhile = (other: RunRecord) => endOf(other) > run.startedAt && endOf(other) < endOf(run);
  const others = runs.filter((other) => other !== run && other.journal === run.journal);
  const isDeleted = during(/^lock deleted$/, run.startedAt, endOf(run)).length > 0;
  return run.haltedMs > 0 && isDeleted && others.some(isMeanwhile);
}

/** A lock that gives no sign of life is believed for a minute, by the clock on the wall. */
const LOCK_MS = 61_000;

/** Whether what it writes is JSON, by the name of its output or by --format. */
const isJsonRun = (run: RunRecord) =>
  formatOf(run) !== 'csv' && (run.output !== undefined || (isList(run) && !isReview(run)));

/** What is wrong with what stands on stderr. */
function wrongMessage(run: RunRecord): string | undefined {
  const { stderr, exitCode = 0 } = run;
  const lines = stderr.split('\n').filter((line) => line !== '');
  if (/^ +at /m.test(stderr)) return 'a stack is shown';
  if (stderr !== '' && !stderr.endsWith('\n')) return 'the last line of stderr has no end';
  if (exitCode === 141) return undefined;
  // Cron mails nothing then.
  if (run.argv.includes('--only-news') && stderr === '') return undefined;
  const isJson = run.argv.includes('--json') || isJsonRun(run);
  if (!isJson) {
    if (lines.some((line) => !line.startsWith('riskcli: '))) return 'a line of stderr does not begin with riskcli:';
    return exitCode !== 0 && lines.length === 0 ? 'a failure is not reported' : undefined;
  }
  const errors = lines.map(errorIn).filter((error) => error !== undefined);
  if (errors.includes('none')) return 'a line of stderr is no JSON';
  if (exitCode === 0) return errors.length > 0 ? 'an error is reported with exit 0' : undefined;
  if (errors.length === 0 && run.argv.includes('--only-news')) return undefined;
  if (errors.length !== 1) return 'a failure is not reported once';
  return errors[0] === exitCode ? undefined : 'an error names another exit code';
}

/** The exit code of an error's line; undefined for a note, `none` for what is neither. */
function errorIn(line: string): number | 'none' | undefined {
  try {
    return (JSON.parse(line) as { error?: { exit_code?: number } }).error?.exit_code;
  } catch {
    return 'none';
  }
}

/** How many characters of the random part of a key give too much away. */
const PIECE = 6;

function* judgeSecrets({ files }: Case, { name, env, stdout, stderr }: RunRecord): Generator<Violation> {
  const { RISKCLI_API_KEY: key = '' } = env;
  const secret = key.slice(key.indexOf('_') + 1);
  const texts = [stdout, stderr, ...[...files.values()].map((bytes) => bytes.toString('latin1'))];
  for (let at = 0; at + PIECE <= secret.length; at++) {
    if (texts.some((text) => text.includes(secret.slice(at, at + PIECE))))
      return yield { rule: 'a part of the key is shown', detail: `run ${name}` };
  }
}
