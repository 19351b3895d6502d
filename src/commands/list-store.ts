/** Where the answers of a list are kept: the journal beside the output, the one named, or nowhere for long. */
import { journalBase, openJournal, SANDBOX_BASE } from '../batch/journal.ts';
import { type AnswerStore, openTemporaryStore } from '../batch/store.ts';
import { UsageError } from '../errors.ts';
import { parseDuration } from '../settings/duration.ts';
import type { Connection } from './connect.ts';
import type { ProfileOptions } from './profile.ts';
import type { Stage } from './profile-list.ts';

/** The journal of this command; undefined when it keeps none. A device or standard output has no journal beside it. */
export function journalPath({ journal, output }: ProfileOptions): string | undefined {
  if (journal !== undefined) return journal;
  return output === undefined || output === '-' || output.startsWith('/dev/') ? undefined : `${output}.journal`;
}

export function notBefore({ maxAge }: ProfileOptions, now: number): { readonly notBefore?: number } {
  return maxAge === undefined ? {} : { notBefore: now - parseDuration(maxAge, '--max-age') };
}

/** @throws LockedError, UsageError for a journal of another service, IoError. */
export async function openAnswers(
  { options, context }: Stage,
  { baseUrl, isSandbox }: Pick<Connection, 'baseUrl' | 'isSandbox'>,
): Promise<AnswerStore> {
  const path = journalPath(options);
  const age = notBefore(options, context.now());
  if (path === undefined) {
    if (options.maxAge === undefined) return openTemporaryStore();
    throw new UsageError('--max-age is given, and no journal is kept', { hint: 'add --journal FILE or -o FILE' });
  }
  const base = isSandbox ? SANDBOX_BASE : journalBase(baseUrl);
  return openJournal(path, { base, ...age, signal: context.signal, host: context });
}
