/** Every row is right: the service's answer for that wallet, or the right status; and the exit code is that of the rows. */
import type { RunRecord, Violation } from '../history.ts';
import { type Case, flagOf, formatOf, hasFinished, isList, mayBeRefusal, walletsOf } from './case.ts';
import { type OutputRow, readRows } from './readers.ts';

export function* judgeRows(history: Case): Generator<Violation> {
  for (const run of history.runs) {
    if (!isList(run)) continue;
    if (run.isPeaceful) yield* judgePeace(history, run);
    else if (run.output === undefined) yield* judgePrinted(history, run);
    else if (run.written && hasFinished(run)) yield* judgeFile(history, run);
  }
}

function* judgePeace(history: Case, run: RunRecord): Generator<Violation> {
  if (run.how !== 'exit') return;
  if (hasFinished(run)) yield* judgeFile(history, run);
  else {
    const detail = `run ${run.name}, exit ${run.exitCode}: ${run.stderr}`;
    yield { rule: 'a run in peace does not come to its end', detail };
  }
}

/** All that a run has written that has come to its end. */
function* judgeFile(history: Case, run: RunRecord): Generator<Violation> {
  const text = run.output === undefined ? run.stdout : run.written?.toString('utf8');
  const say = (rule: string, detail: string) => ({ rule, detail: `run ${run.name}: ${detail}` });
  if (text === undefined) {
    yield say('an output is not there', `${run.output}`);
    return;
  }
  let rows: readonly OutputRow[];
  try {
    rows = readRows(text, formatOf(run));
  } catch (error) {
    yield say('an output cannot be read', String(error));
    return;
  }
  const wallets = walletsOf(history, run);
  if (rows.length !== wallets.length)
    yield say('an output has not a row for each of the list', `${rows.length} of ${wallets.length}`);
  yield* judgeEach(history, { run, rows, wallets });
  if (run.isPeaceful) yield* judgeExit({ run, rows });
}

interface Printed {
  readonly run: RunRecord;
  readonly rows: readonly OutputRow[];
}

function* judgeEach(
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
    const wrong = wrongIn(row, statusesOf(history, { run, wallet: known }), history.truth(known ?? ''));
    if (wrong)
      yield { rule: wrong.rule, detail: `run ${run.name}, row ${i + 1}, ${known ?? 'not a wallet'}: ${wrong.detail}` };
  }
}

/** The rows of the list that are among `rows`, as far as those are in its order. */
function inOrder(
  rows: readonly OutputRow[],
  wallets: readonly (string | undefined)[],
): readonly (string | undefined)[] {
  let next = 0;
  return rows.map(({ wallet, status }) => {
    const at = wallets.findIndex(
      (one, i) => i >= next && (wallet === undefined || status === 'invalid' ? one === undefined : one === wallet),
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
    yield { rule: 'a sorted output has not the rows of the list', detail: `run ${run.name}` };
  }
}

/** What the row of `wallet` may say. */
function statusesOf(
  history: Case,
  { run, wallet }: { readonly run: RunRecord; readonly wallet: string | undefined },
): readonly string[] {
  if (wallet === undefined) return ['invalid'];
  const { status, body } = history.truth(wallet);
  const isRefused = history.requests.some((request) => request.wallet === wallet && mayBeRefusal(request));
  const others = [...(isRefused || !run.isPeaceful ? ['failed'] : []), ...(run.isPeaceful ? [] : ['pending'])];
  if (status !== 200) return ['failed', ...others];
  return [scoreIn(body) === null ? 'no_score' : 'scored', ...others];
}

interface Profile {
  readonly total_collateral_usd: number;
  readonly defi_score: { readonly defi_score: number } | null;
}

const profileOf = (body: string) => JSON.parse(body) as Profile;
const scoreIn = (body: string) => profileOf(body).defi_score?.defi_score ?? null;

function wrongIn(row: OutputRow, statuses: readonly string[], truth: ReturnType<Case['truth']>): Violation | undefined {
  if (row.status !== undefined && !statuses.includes(row.status)) {
    return { rule: 'a row has a wrong status', detail: `${row.status}, not ${statuses.join(' or ')}` };
  }
  if (row.status !== 'scored' && row.status !== 'no_score') {
    return row.score === undefined || row.score === null
      ? undefined
      : { rule: 'a row without an answer has a score', detail: String(row.score) };
  }
  const score = scoreIn(truth.body);
  if (row.score !== undefined && row.score !== score)
    return { rule: 'a row has a wrong score', detail: `${row.score}, not ${score}` };
  const { total_collateral_usd: collateral } = profileOf(truth.body);
  if (row.collateral === undefined || row.collateral === collateral) return undefined;
  return { rule: 'a row has a wrong collateral', detail: `${row.collateral}, not ${collateral}` };
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
    yield { rule: 'an output has not a row for each of the list', detail: `run ${run.name}, exit 0` };
  }
}

function* judgeExit({ run, rows }: Printed): Generator<Violation> {
  const statuses = rows.map(({ status }) => status);
  if (statuses.includes(undefined)) return;
  const isPartly = statuses.some((status) => status !== 'scored' && status !== 'no_score');
  const matches =
    run.argv.includes('--fail-if') &&
    rows.some(({ status, score }) => status !== 'scored' || Number(score) < FAIL_BELOW);
  const expected = matches ? 10 : isPartly ? 3 : 0;
  // A path that no answer had is told in the end.
  const mayMiss = flagOf(run, '--fields') !== undefined && !statuses.includes('scored');
  if (run.exitCode === expected || (mayMiss && run.exitCode === 2)) return;
  yield {
    rule: 'a run in peace has a wrong exit code',
    detail: `run ${run.name}: ${run.exitCode}, not ${expected}: ${run.stderr}`,
  };
}

/** The only condition of scenarios is `score < 500`. */
const FAIL_BELOW = 500;
