/** Where the answers of a list are kept: in a journal, or in a temporary file. */

import { journalBase, openJournal, SANDBOX_BASE } from '../journal/journal.ts';
import { type AnswerStore, openTemporaryStore } from '../journal/store.ts';
import { KEY_PREFIX } from '../sandbox/keys.ts';
import type { ResolvedRun } from '../settings/resolve.ts';
import type { ListOutcome } from './outcome.ts';

/** A journal, and which of its answers are used again. */
export interface JournalUse {
  readonly path: string;
  /** Answers that are older than this are asked for again, milliseconds; undefined when none is too old. */
  readonly maxAge: number | undefined;
  /** When the review began that keeps it, for its header; one that began within `maxAge` is continued with all of its answers. */
  readonly begun?: number | undefined;
  /** Whether wallets that were refused are not asked for again. */
  readonly keepsRefusals: boolean;
  /** Whether it is removed once the rows are in place. */
  removes(outcome: ListOutcome): boolean;
  /** Adds answers that are known from elsewhere, before the list is counted. */
  seed?(store: Seeded): Promise<void>;
}

export type Seeded = Pick<AnswerStore, 'has' | 'append'>;

/**
 * How a run uses its journal. One that it names after its output goes when nothing is left to ask; of one that was named
 * no refusals are used again, since the service may answer today what it refused last month.
 */
export function journalUse(named: NamedJournal & { readonly maxAge: number | undefined }): JournalUse | undefined {
  const path = journalPath(named);
  if (path === undefined) return undefined;
  const isOwn = named.journal === undefined;
  return { path, maxAge: named.maxAge, keepsRefusals: isOwn, removes: ({ isComplete }) => isOwn && isComplete };
}

interface NamedJournal {
  readonly journal?: string | undefined;
  /** The file of -o. */
  readonly output?: string | undefined;
}

/** The journal of a run; undefined when it keeps none. */
export function journalPath({ journal, output = '-' }: NamedJournal): string | undefined {
  return journal ?? (output === '-' ? undefined : `${output}.journal`);
}

/** How a journal is read for `use`: an answer dated in the future, by a clock that was ahead, counts by how far. */
export function reading({ maxAge, begun, keepsRefusals }: JournalUse, { context }: ResolvedRun) {
  const present = context.now();
  const isFresh = maxAge === undefined ? undefined : (at: number) => Math.abs(present - at) <= maxAge;
  return { isFresh, begun, keepsRefusals, uid: context.uid, signal: context.signal() };
}

/**
 * The service whose answers the journal holds. Over plain http (only this machine) a sandbox is recognised by its key,
 * unless a command would have to print that.
 * @throws UsageError when no base URL is known.
 */
export async function answersBase({ settings }: ResolvedRun): Promise<string> {
  if (settings.isSandbox) return SANDBOX_BASE;
  const baseUrl = settings.baseUrl().value;
  if (baseUrl.protocol !== 'http:') return journalBase(baseUrl);
  const { value } = await settings.describeKey();
  return value?.startsWith(KEY_PREFIX) ? SANDBOX_BASE : journalBase(baseUrl);
}

/** @throws LockedError, UsageError for a journal of another service, IoError. */
export async function openAnswers(use: JournalUse | undefined, run: ResolvedRun): Promise<AnswerStore> {
  const { context } = run;
  if (!use) return openTemporaryStore(context);
  const store = await openJournal(use.path, {
    ...reading(use, run),
    base: await answersBase(run),
    host: context,
    onDamage: context.report.warn,
  });
  try {
    await use.seed?.(store);
    return store;
  } catch (error) {
    store.close();
    throw error;
  }
}
