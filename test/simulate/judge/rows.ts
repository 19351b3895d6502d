/**
 * Every row is right: the service's answer for that wallet, or the right status; and the exit code
 * is that of the rows.
 */
import type { RunRecord, Truth, Violation } from '../history.ts';
import {
  type Case,
  endOf,
  flagOf,
  formatOf,
  hasFinished,
  isList,
  isReview,
  maxAgeOf,
  mayBeRefusal,
  walletsOf,
} from './case.ts';
import { type OutputRow, readRows } from './readers.ts';

export function* judgeRows(history: Case): Generator<Violation> {
  for (const run of history.runs) {
    if (!isList(run)) continue;
    if (run.isPeaceful) yield* judgePeace(history, run);
    else if (hasFinished(run)) yield* judgeFiles(history, run);
    else yield* judgeUntouched(history, run);
    if (run.output === undefined && !isReview(run) && !run.isPeaceful) yield* judgePrinted(history, run);
  }
}

/** The file of -o is as it was, or whole. */
function* judgeUntouched(history: Case, run: RunRecord): Generator<Violation> {
  if (run.output === undefined || run.how === 'power' || isShared(history, run)) return;
  if (!isSame(run.before, run.written)) yield* judgeFile(history, run, run.written);
}

const isSame = (one: Buffer | undefined, other: Buffer | undefined) =>
  one === undefined || other === undefined ? one === other : one.equals(other);

/** Another run that was there meanwhile writes it, too. */
const isShared = ({ runs }: Case, run: RunRecord) =>
  runs.some(
    (other) =>
      other !== run && other.output === run.output && other.startedAt <= endOf(run) && endOf(other) >= run.startedAt,
  );

function* judgePeace(history: Case, run: RunRecord): Generator<Violation> {
  if (run.how !== 'exit') return;
  if (hasFinished(run)) yield* judgeFiles(history, run);
  else if (!cannotFinish(history, run)) {
    const detail = `run ${run.name}, exit ${run.exitCode}: ${run.stderr}`;
    yield { rule: 'a last run without faults does not finish', detail };
  }
}

/** The list is empty, or the journal is of another service: only people can help. */
function cannotFinish(history: Case, run: RunRecord): boolean {
  const { runs } = history;
  const isEmpty = run.exitCode === 9 && walletsOf(history, run).length === 0;
  const hasOther = (other: RunRecord) =>
    other.journal === run.journal && other.env.RISKCLI_BASE_URL !== run.env.RISKCLI_BASE_URL;
  return isEmpty || (run.exitCode === 2 && runs.some(hasOther));
}

/** What a finished run has written. */
function* judgeFiles(history: Case, run: RunRecord): Generator<Violation> {
  if (run.output !== undefined && (run.isPeaceful || run.written)) yield* judgeFile(history, run, run.written);
  if (run.isPeaceful && run.output === undefined && !isReview(run))
    yield* judgeFile(history, run, Buffer.from(run.stdout));
}

/** @param bytes its output, in a file or printed */
function* judgeFile(history: Case, run: RunRecord, bytes: Buffer | undefined): Generator<Violation> {
  const say = (rule: string, detail: string) => ({ rule, detail: `run ${run.name}: ${detail}` });
  if (bytes === undefined) {
    yield say('an output is not there', `${run.output}`);
    return;
  }
  let rows: readonly OutputRow[];
  try {
    rows = readRows(bytes.toString('utf8'), formatOf(run));
  } catch (error) {
    yield say('an output cannot be read', `${error}`);
    return;
  }
  const wallets = walletsOf(history, run);
  if (rows.length !== wallets.length)
    yield say('an output does not have one row for each row of the list', `${rows.length} of ${wallets.length}`);
  yield* judgeEach(history, { run, rows, wallets });
  if (run.isPeaceful) yield* judgeExit(history, { run, rows });
}

interface Printed {
  readonly run: RunRecord;
  readonly rows: readonly OutputRow[];
}

export function* judgeEach(
  history: Case,
  { run, rows, wallets }: Printed & { readonly wallets: readonly (string | undefined)[] },
) {
  const isSorted = run.argv.includes('--sort');
  if (isSorted && hasFinished(run)) yield* judgeSet({ run, rows, wallets });
  for (const [i, row] of rows.entries()) {
    const wallet = isSorted ? row.wallet : wallets[i];
    const known = wallet !== undefined && wallets.includes(wallet) ? wallet : undefined;
    if (!isSorted && known !== undefined && row.wallet !== undefined && row.wallet !== known) {
      yield {
        rule: 'a row is about another wallet',
        detail: `run ${run.name}, row ${i + 1}: ${row.wallet}, not ${known}`,
      };
      continue;
    }
    const wrong = wrongIn(row, statusesOf(history, { run, wallet: known }), history.truthsFor(run, known ?? ''));
    if (wrong)
      yield { rule: wrong.rule, detail: `run ${run.name}, row ${i + 1}, ${known ?? 'not a wallet'}: ${wrong.detail}` };
    if (isTooOld(history, run, row)) {
      const detail = `run ${run.name}, row ${i + 1}, ${known}: ${row.answeredAt}`;
      yield { rule: 'a row is older than --max-age allows', detail };
    }
  }
}

function isTooOld({ wall, has, runs }: Case, run: RunRecord, { answeredAt, status }: OutputRow): boolean {
  const maxAge = maxAgeOf(run);
  if (maxAge === undefined || !answeredAt || status === 'pending' || has(/^clock/)) return false;
  // A review that continues a stopped one also uses its older answers if the newest of them is
  // young enough.
  if (isReview(run) && runs.some((one) => one.journal === run.journal && one !== run && !hasFinished(one)))
    return false;
  return wall(run.startedAt) - Date.parse(answeredAt) > maxAge;
}

/** With --fields a row may lack its status, so its wallet is checked by its form. */
const isWallet = (text: string | undefined) => text !== undefined && /^0x[0-9a-f]{40}$/.test(text);

/** For each of `rows` the wallet of the list that it should be, if both are in the same order. */
function inOrder(
  rows: readonly OutputRow[],
  wallets: readonly (string | undefined)[],
): readonly (string | undefined)[] {
  let next = 0;
  return rows.map(({ wallet, status }) => {
    const at = wallets.findIndex(
      (one, i) => i >= next && (isWallet(wallet) && status !== 'invalid' ? one === wallet : one === undefined),
    );
    if (at >= 0) next = at + 1;
    return wallets[at < 0 ? next : at];
  });
}

/** In another order the rows are still those of the list. */
function* judgeSet({
  run,
  rows,
  wallets,
}: Printed & { readonly wallets: readonly (string | undefined)[] }): Generator<Violation> {
  const count = (values: readonly (string | undefined)[]) =>
    values
      .filter((value) => value?.startsWith('0x'))
      .sort()
      .join();
  if (rows.every(({ wallet }) => wallet === undefined)) return;
  if (count(rows.map(({ wallet }) => wallet)) !== count(wallets)) {
    yield { rule: 'a sorted output does not have the rows of the list', detail: `run ${run.name}` };
  }
}

/** What the row of `wallet` may say. */
function statusesOf(
  history: Case,
  { run, wallet }: { readonly run: RunRecord; readonly wallet: string | undefined },
): readonly string[] {
  if (wallet === undefined) return ['invalid'];
  const truths = history.truthsFor(run, wallet);
  const isRefused = history.requests.some((request) => request.wallet === wallet && mayBeRefusal(request));
  const others = [...(isRefused || !run.isPeaceful ? ['failed'] : []), ...(run.isPeaceful ? [] : ['pending'])];
  const statusOf = ({ status, body }: Truth) =>
    status !== 200 ? 'failed' : scoreIn(body) === null ? 'no_score' : 'scored';
  return [...truths.map(statusOf), ...others];
}

interface Profile {
  readonly total_collateral_usd: number;
  readonly defi_score: { readonly defi_score: number } | null;
}

const profileOf = (body: string) => JSON.parse(body) as Profile;
const scoreOf = (profile: Profile) => profile.defi_score?.defi_score ?? null;
export const scoreIn = (body: string) => scoreOf(profileOf(body));

function wrongIn(row: OutputRow, statuses: readonly string[], truths: readonly Truth[]): Violation | undefined {
  if (row.status !== undefined && !statuses.includes(row.status)) {
    return { rule: 'a row has a wrong status', detail: `${row.status}, not ${statuses.join(' or ')}` };
  }
  if (row.status !== 'scored' && row.status !== 'no_score') {
    return row.score === undefined || row.score === null
      ? undefined
      : { rule: 'a row without an answer has a score', detail: String(row.score) };
  }
  const profiles = truths.filter((truth) => truth.status === 200).map(({ body }) => profileOf(body));
  const withScore = profiles.filter((profile) => row.score === undefined || row.score === scoreOf(profile));
  if (withScore.length === 0)
    return { rule: 'a row has a wrong score', detail: `${row.score}, not ${profiles.map(scoreOf).join(' or ')}` };
  const collaterals = withScore.map((profile) => profile.total_collateral_usd);
  if (row.collateral === undefined || collaterals.includes(row.collateral as number)) return undefined;
  return { rule: 'a row has a wrong collateral', detail: `${row.collateral}, not ${collaterals.join(' or ')}` };
}

/** Rows on standard output: whole ones, also when the run was stopped. */
function* judgePrinted(history: Case, run: RunRecord): Generator<Violation> {
  const isCut = run.how !== 'exit' || run.exitCode === 141 || run.readerTakes !== undefined;
  if (run.stdout === '') return;
  let rows: readonly OutputRow[];
  try {
    rows = readRows(run.stdout, formatOf(run), isCut);
  } catch (error) {
    yield { rule: 'rows on standard output cannot be read', detail: `run ${run.name}: ${error}` };
    return;
  }
  const wallets = walletsOf(history, run);
  // A run that was stopped leaves out the rows that it has not come to.
  const shown = hasFinished(run) || run.argv.includes('--sort') ? wallets : inOrder(rows, wallets);
  yield* judgeEach(history, { run, rows, wallets: shown });
  if (run.exitCode === 0 && !isCut && rows.length !== wallets.length) {
    yield { rule: 'an output does not have one row for each row of the list', detail: `run ${run.name}, exit 0` };
  }
}

function* judgeExit({ has }: Case, { run, rows }: Printed): Generator<Violation> {
  const statuses = rows.map(({ status }) => status);
  if (statuses.includes(undefined)) return;
  const isPartly = statuses.some((status) => status !== 'scored' && status !== 'no_score');
  const matches =
    run.argv.includes('--fail-if') &&
    rows.some(({ status, score }) => status !== 'scored' || Number(score) < FAIL_BELOW);
  const expected = matches ? 10 : isPartly ? 3 : 0;
  // A path that no answer had is reported at the end.
  const fields = flagOf(run, '--fields');
  const mayMiss = fields === ABSENT || (fields !== undefined && !statuses.includes('scored'));
  if (run.exitCode === expected || (mayMiss && run.exitCode === 2)) return;
  // The wallet of an open alarm may be off the list now.
  if (isReview(run) && run.exitCode === 10 && has(/^list edited$/)) return;
  yield {
    rule: 'a last run without faults has a wrong exit code',
    detail: `run ${run.name}: ${run.exitCode}, not ${expected}: ${run.stderr}`,
  };
}

/** A path of scenarios that no answer has. */
const ABSENT = 'nothing.like_it';

/** The only condition of scenarios is `score < 500`. */
const FAIL_BELOW = 500;
