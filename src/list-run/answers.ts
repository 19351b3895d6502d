/** The store of a list's answers: a journal, or a temporary file. */

import { UsageError } from '../errors.ts';
import { shownPath } from '../files/file-error.ts';
import { journalBase, openJournal, readJournal, SANDBOX_BASE } from '../journal/journal.ts';
import type { JournalRecord } from '../journal/record.ts';
import { type AnswerStore, TemporaryStore } from '../journal/store.ts';
import { KEY_PREFIX } from '../sandbox/keys.ts';
import type { ResolvedRun } from '../settings/resolve.ts';
import { HOUR_MS } from '../text/when.ts';
import { groupDigits } from '../text/words.ts';
import type { JournalUse } from './journal-use.ts';

/** Decides which answers of a journal a run uses again. */
class Reuse {
  /** When the answers were given that are too old for a gate, by wallet. */
  readonly stale = new Map<string, number>();
  /** When the record before was answered. */
  private before: number | undefined;

  constructor(
    private readonly use: JournalUse,
    private readonly now: number,
  ) {}

  accepts(record: JournalRecord): boolean {
    const { isOneRun, keepsRefusals, refusesOlder } = this.use;
    if ('refusal' in record && !keepsRefusals) return false;
    if (isOneRun || this.isYoung(record.answeredAt)) return true;
    if (refusesOlder) this.stale.set(record.id, record.answeredAt);
    return false;
  }

  /** Whether the run to which the records before it belong was too old to be continued. */
  beginsAnew({ answeredAt }: JournalRecord): boolean {
    const { before = answeredAt } = this;
    this.before = answeredAt;
    return this.use.isOneRun === true && Math.abs(answeredAt - before) > (this.use.maxAge ?? Number.POSITIVE_INFINITY);
  }

  /** Whether nothing is used again, because the journal is of one run that is too old. */
  rejectsAll({ newest }: { readonly newest: number }): boolean {
    return this.use.isOneRun === true && !this.isYoung(newest);
  }

  /** The age of an answer that a wrong clock has dated in the future counts without its sign. */
  private isYoung(answeredAt: number): boolean {
    return Math.abs(this.now - answeredAt) <= (this.use.maxAge ?? Number.POSITIVE_INFINITY);
  }
}

/** The rules by which a journal is read and its answers are used again. */
async function openingOf(use: JournalUse, run: ResolvedRun) {
  const { context } = run;
  const { path, elsewhere } = use;
  const reuse = new Reuse(use, context.now());
  const isReusable = (record: JournalRecord) => reuse.accepts(record);
  const beginsAnew = (record: JournalRecord) => reuse.beginsAnew(record);
  const place = { path, elsewhere, uid: context.uid, signal: context.signal() };
  return { reuse, reading: { ...place, base: await answersBase(run), isReusable, beginsAnew } };
}

/** Which wallets have an answer in the journal that is used again; neither changes nor locks it. */
export async function readAnswers(use: JournalUse, run: ResolvedRun) {
  const { reuse, reading } = await openingOf(use, run);
  const found = await readJournal(reading);
  const isTooOld = reuse.rejectsAll(found);
  if (isTooOld) reportTooOld(found.offsets.size, found.newest, run);
  return { ids: new Set(isTooOld ? [] : found.offsets.keys()), stale: reuse.stale };
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
  if (settings.isSandbox) return SANDBOX_BASE;
  const baseUrl = settings.baseUrl().value;
  if (baseUrl.protocol !== 'http:') return journalBase(baseUrl);
  const { value } = await settings.describeKey();
  return value?.startsWith(KEY_PREFIX) ? SANDBOX_BASE : journalBase(baseUrl);
}

/** Answers that are known already, and when those were given that are too old for a gate. */
export interface OpenedAnswers {
  readonly store: AnswerStore;
  readonly stale: ReadonlyMap<string, number>;
}

/** @throws LockedError, UsageError for a journal of another service, IoError. */
export async function openAnswers(use: JournalUse | undefined, run: ResolvedRun): Promise<OpenedAnswers> {
  const { context } = run;
  if (!use) return { store: new TemporaryStore(context), stale: new Map() };
  const { reuse, reading } = await openingOf(use, run);
  const store = await openJournal({ ...reading, host: context, onDamage: context.report.warn });
  try {
    if (reuse.rejectsAll(store)) {
      reportTooOld(store.size, store.newest, run);
      store.forgetAll();
    }
    await use.seed?.(store);
    return { store, stale: reuse.stale };
  } catch (error) {
    store.close();
    throw error;
  }
}
