/** Where the answers of a list are kept: in the journal beside the output, in the one named, or in a temporary file. */

import type { Context } from '../../../context.ts';
import type { AnswerStore } from '../../../journal/answer-store.ts';
import { journalBase, openJournal, SANDBOX_BASE } from '../../../journal/journal.ts';
import { othersBeside } from '../../../journal/shared-journal.ts';
import { openTemporaryStore } from '../../../journal/temporary-store.ts';
import { KEY_PREFIX } from '../../../sandbox/keys.ts';
import { isFileName, type ListOptions, type ListRun } from './options.ts';

/**
 * Which answers of a journal are reused: with --max-age none that are older, where one dated in the future, by a clock that was
 * ahead, counts by how far; of a journal named by --journal no refusals, since the service may answer today what it refused last
 * month.
 */
export function reuse({ journal, maxAge }: ListOptions, { now, uid }: Pick<Context, 'now' | 'uid'>) {
  const present = now();
  const isFresh = maxAge === undefined ? undefined : (at: number) => Math.abs(present - at) <= maxAge;
  return { isFresh, keepsRefusals: journal === undefined, uid };
}

/**
 * The service whose answers the journal holds. Over plain http (only this machine) a sandbox is recognised by its key,
 * unless a command would have to print that.
 * @throws UsageError when no base URL is known.
 */
export async function answersBase({ settings }: Pick<ListRun, 'settings'>): Promise<string> {
  if (settings.isSandbox) return SANDBOX_BASE;
  const baseUrl = settings.baseUrl().value;
  if (baseUrl.protocol !== 'http:') return journalBase(baseUrl);
  const { value } = await settings.describeKey();
  return value?.startsWith(KEY_PREFIX) ? SANDBOX_BASE : journalBase(baseUrl);
}

/** @throws LockedError, UsageError for a journal of another service, IoError. */
export async function openAnswers(run: ListRun): Promise<AnswerStore> {
  const { options, context } = run;
  const path = options.journalFile;
  const reused = reuse(options, context);
  if (path !== undefined) {
    return openJournal(path, {
      ...reused,
      base: await answersBase(run),
      outputs: options.journal === undefined ? othersBeside(path, options.output.filter(isFileName)) : undefined,
      signal: context.signal(),
      host: context,
      onDamage: context.report.warn,
    });
  }
  return openTemporaryStore(context);
}
