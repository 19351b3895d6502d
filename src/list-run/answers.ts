/** The store of a list's answers: a journal, or a temporary file. */

import { UsageError } from '../errors.ts';
import { shownPath } from '../files/file-error.ts';
import { journalBaseUrl, openJournal, readJournal, SANDBOX_BASE_URL } from '../journal/journal.ts';
import type { JournalRecord } from '../journal/record.ts';
import { type ResultStore, TemporaryStore } from '../journal/store.ts';
import { KEY_PREFIX } from '../sandbox/keys.ts';
import type { ResolvedRun } from '../settings/resolve.ts';
import { HOUR_MS } from '../text/when.ts';
import { groupDigits } from '../text/words.ts';
import type { JournalUse } from './journal-use.ts';

/** How a journal is read, and which of its answers a run uses again. */
async function openingOf(use: JournalUse, run: ResolvedRun) {
  const { context } = run;
  const { path, alternative, isOneRun = false, keepsRefusals, refusesOlder, maxAge = Number.POSITIVE_INFINITY } = use;
  const now = context.now();
  // The age of an answer that a wrong clock has dated in the future counts without its sign.
  const isYoung = (answeredAt: number, seenAt = now) => Math.abs(seenAt - answeredAt) <= maxAge;
  /** When the answers were given that are too old for a gate, by wallet. */
  const stale = new Map<string, number>();
  const isReusable = (record: JournalRecord) => {
    if ('refusal' in record && !keepsRefusals) return false;
    if (isOneRun || isYoung(record.answeredAt)) return true;
    if (refusesOlder) stale.set(record.id, record.answeredAt);
    return false;
  };
  let previous: number | undefined;
  /** Whether the run to which the records before it belong was too old to be continued. */
  const startsNewRun = ({ answeredAt }: JournalRecord) => {
    const isContinued = isYoung(answeredAt, previous ?? answeredAt);
    previous = answeredAt;
    return isOneRun && !isContinued;
  };
  const place = { path, alternative, uid: context.uid, signal: context.signal() };
  return {
    stale,
    reading: { ...place, baseUrl: await answersBase(run), isReusable, startsNewRun },
    /** Whether nothing is used again, because the journal is of one run that is too old. */
    isTooOld: ({ newestAnsweredAt }: { readonly newestAnsweredAt: number }) => isOneRun && !isYoung(newestAnsweredAt),
  };
}

/** Which wallets have an answer in the journal that is used again; neither changes nor locks it. */
export async function readAnswers(use: JournalUse, run: ResolvedRun) {
  const { stale, reading, isTooOld } = await openingOf(use, run);
  const found = await readJournal(reading);
  if (!isTooOld(found)) return { ids: new Set(found.offsets.keys()), stale };
  reportTooOld(found.offsets.size, found.newestAnsweredAt, run);
  return { ids: new Set<string>(), stale };
}

/**
 * @param times of the stale answers that a gate would rest on.
 * @throws UsageError if there are any
 */
export function refuseStale(times: readonly number[], use: JournalUse | undefined, { context }: ResolvedRun): void {
  if (!use || times.length === 0) return;
  const age = (at: number) => Math.abs(context.now() - at);
  const oldest = times.reduce((one, other) => (age(other) > age(one) ? other : one));
  throw new UsageError(
    'a gate rests on answers of the last 20h unless --max-age says otherwise, and the oldest in the ' +
      `journal ${shownPath(use.path)} is dated ${new Date(oldest).toISOString()}`,
    { hint: `--max-age ${enoughFor(age(oldest))} uses it, --max-age 20h asks again for what is older` },
  );
}

/** For --max-age. An hour more, since the command is run again a little later. */
function enoughFor(age: number): string {
  const hours = Math.ceil(age / HOUR_MS) + 1;
  return hours < 48 ? `${hours}h` : `${Math.ceil(hours / 24)}d`;
}

/** Reports how many answers of a stopped run are paid for, and asked again. */
function reportTooOld(answers: number, newest: number, { context }: ResolvedRun): void {
  if (answers === 0) return;
  context.report.info(
    `answers that are too old and are requested again: ${groupDigits(answers)}; ` +
      `--max-age ${enoughFor(Math.abs(context.now() - newest))} would use them`,
  );
}

/**
 * The service whose answers the journal holds. Over plain http (only this machine) a sandbox is
 * recognised by its key, unless a command would have to print that.
 * @throws UsageError when no base URL is known.
 */
export async function answersBase({ settings }: ResolvedRun): Promise<string> {
  if (settings.isSandbox) return SANDBOX_BASE_URL;
  const baseUrl = settings.baseUrl().value;
  if (baseUrl.protocol !== 'http:') return journalBaseUrl(baseUrl);
  const { value } = await settings.describeKey();
  return value?.startsWith(KEY_PREFIX) ? SANDBOX_BASE_URL : journalBaseUrl(baseUrl);
}

/** Answers that are known already, and when those were given that are too old for a gate. */
export interface OpenedAnswers {
  readonly store: ResultStore;
  readonly stale: ReadonlyMap<string, number>;
}

/** @throws LockedError, UsageError for a journal of another service, IoError. */
export async function openAnswers(use: JournalUse | undefined, run: ResolvedRun): Promise<OpenedAnswers> {
  const { context } = run;
  if (!use) return { store: new TemporaryStore(context), stale: new Map() };
  const { stale, reading, isTooOld } = await openingOf(use, run);
  const store = await openJournal({ ...reading, host: context, onDamage: context.report.warn });
  try {
    if (isTooOld(store)) {
      reportTooOld(store.size, store.newestAnsweredAt, run);
      store.forgetAll();
    }
    await use.seed?.(store);
    return { store, stale };
  } catch (error) {
    store.close();
    throw error;
  }
}
