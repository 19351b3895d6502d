/** Where the answers of a list are kept: the journal beside the output, the one named, or nowhere for long. */
import { journalBase, openJournal, SANDBOX_BASE } from '../batch/journal.ts';
import { type AnswerStore, openTemporaryStore } from '../batch/store.ts';
import { UsageError } from '../errors.ts';
import { KEY_PREFIX } from '../sandbox/keys.ts';
import { parseDuration } from '../settings/duration.ts';
import { resolveSettings } from '../settings/resolve.ts';
import type { ProfileOptions, Stage } from './profile.ts';

/** The journal of this command; undefined when it keeps none. A device or standard output has no journal beside it. */
export function journalPath({ journal, output }: ProfileOptions): string | undefined {
  if (journal !== undefined) return journal;
  return output === undefined || output === '-' || output.startsWith('/dev/') ? undefined : `${output}.journal`;
}

/** Answers from before are too old (--max-age), milliseconds since 1970; undefined when none is. */
export function notBefore({ maxAge }: ProfileOptions, now: number): number | undefined {
  return maxAge === undefined ? undefined : now - parseDuration(maxAge, '--max-age');
}

/**
 * Whose answers the journal holds. A sandbox in a process of its own shows by its key; plain http is this machine.
 * @throws UsageError when no base URL is known.
 */
export function answersBase({ typed, context }: Pick<Stage, 'typed' | 'context'>): string {
  if (typed.on('sandbox')) return SANDBOX_BASE;
  const settings = resolveSettings(typed, context);
  const baseUrl = settings.baseUrl().value;
  const isSandbox = baseUrl.protocol === 'http:' && settings.findKey()?.value.startsWith(KEY_PREFIX);
  return isSandbox ? SANDBOX_BASE : journalBase(baseUrl);
}

/** @throws LockedError, UsageError for a journal of another service, IoError. */
export async function openAnswers(stage: Stage): Promise<AnswerStore> {
  const { options, context } = stage;
  const path = journalPath(options);
  const oldest = notBefore(options, context.now());
  if (path !== undefined) {
    return openJournal(path, {
      base: answersBase(stage),
      notBefore: oldest,
      signal: context.signal,
      host: context,
    });
  }
  if (oldest === undefined) return openTemporaryStore();
  throw new UsageError('--max-age is given, and no journal is kept', { hint: 'add --journal FILE or -o FILE' });
}
