/** Where the answers of a list are kept: the journal beside the output, the one named, or nowhere for long. */

import type { Context } from '../../../context.ts';
import type { AnswerStore } from '../../../journal/answer-store.ts';
import { journalBase, openJournal, SANDBOX_BASE } from '../../../journal/journal.ts';
import { othersBeside } from '../../../journal/shared-journal.ts';
import { openTemporaryStore } from '../../../journal/temporary-store.ts';
import { KEY_PREFIX } from '../../../sandbox/keys.ts';
import { isFileName, type ListOptions, type ListRun } from './options.ts';

/** Clocks differ by seconds and are set right by as much: what was answered no later than this from now was answered just now. */
const MAX_AHEAD_MS = 5 * 60_000;

/**
 * What this command takes of a journal: with --max-age no answers that are older, or from a clock that ran far ahead, which
 * is told; of one named by --journal no refusals, since what the service refused last month it may answer today.
 */
export function reuse({ journal, maxAge }: ListOptions, { now, uid, report }: Pick<Context, 'now' | 'uid' | 'report'>) {
  const present = now();
  const answered = maxAge === undefined ? undefined : { from: present - maxAge, until: present + MAX_AHEAD_MS };
  return { answered, keepsRefusals: journal === undefined, uid, onFuture: report.warn };
}

/**
 * Whose answers the journal holds. A sandbox in a process of its own shows by its key, unless a command would have to print
 * that; plain http is this machine.
 * @throws UsageError when no base URL is known.
 */
export async function answersBase({ settings }: Pick<ListRun, 'settings'>): Promise<string> {
  if (settings.isSandbox) return SANDBOX_BASE;
  const baseUrl = settings.baseUrl().value;
  if (baseUrl.protocol !== 'http:') return journalBase(baseUrl);
  const { value } = await settings.describeKey();
  return value?.startsWith(KEY_PREFIX) ? SANDBOX_BASE : journalBase(baseUrl);
}

/** The output with which the journal of a run goes; undefined for one that is kept. */
export function outputOf({ journal, journalFile }: ListOptions): string | undefined {
  return journal === undefined ? journalFile?.replace(/\.journal$/, '') : undefined;
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
      stays: options.journalStays,
      outputs: options.journal === undefined ? othersBeside(path, options.output.filter(isFileName)) : undefined,
      goesWith: outputOf(options),
      signal: context.signal(),
      host: context,
      onDamage: context.report.warn,
      onWait: context.report.warn,
    });
  }
  return openTemporaryStore(context);
}
