/** Where the answers of a list are kept: the journal beside the output, the one named, or nowhere for long. */
import { journalBase, openJournal, SANDBOX_BASE } from '../../answers/journal.ts';
import type { AnswerStore } from '../../answers/store.ts';
import { openTemporaryStore } from '../../answers/temporary-store.ts';
import type { Context } from '../../context.ts';
import { UsageError } from '../../errors.ts';
import { KEY_PREFIX } from '../../sandbox/keys.ts';
import { parseDuration } from '../../text/duration.ts';
import type { ProfileOptions, ProfileRun } from './options.ts';

/** The journal of this command; undefined when it keeps none. A device or standard output has no journal beside it. */
export function journalPath({ journal, output }: Pick<ProfileOptions, 'journal' | 'output'>): string | undefined {
  if (journal !== undefined) return journal;
  return output === undefined || output === '-' || output.startsWith('/dev/') ? undefined : `${output}.journal`;
}

/** Clocks differ by seconds and are set right by as much: what was answered no later than this from now was answered just now. */
const MAX_AHEAD_MS = 5 * 60_000;

/**
 * What this command takes of a journal: with --max-age no answers that are older, or from a clock that ran far ahead, which
 * is told; of one named by --journal no refusals, since what the service refused last month it may answer today.
 */
export function reuse(
  { journal, maxAge }: ProfileOptions,
  { now, uid, report }: Pick<Context, 'now' | 'uid' | 'report'>,
) {
  const present = now();
  const answered =
    maxAge === undefined
      ? undefined
      : { from: present - parseDuration(maxAge, '--max-age'), until: present + MAX_AHEAD_MS };
  return { answered, keepsRefusals: journal === undefined, uid, onFuture: report.notice };
}

/**
 * Whose answers the journal holds. A sandbox in a process of its own shows by its key; plain http is this machine.
 * @throws UsageError when no base URL is known.
 */
export function answersBase({ settings }: Pick<ProfileRun, 'settings'>): string {
  if (settings.isSandbox) return SANDBOX_BASE;
  const baseUrl = settings.baseUrl().value;
  const isSandbox = baseUrl.protocol === 'http:' && settings.findKey()?.value?.startsWith(KEY_PREFIX);
  return isSandbox ? SANDBOX_BASE : journalBase(baseUrl);
}

/** @throws LockedError, UsageError for a journal of another service, IoError. */
export async function openAnswers(run: ProfileRun): Promise<AnswerStore> {
  const { options, context } = run;
  const path = journalPath(options);
  const reused = reuse(options, context);
  if (path !== undefined) {
    return openJournal(path, {
      ...reused,
      base: answersBase(run),
      signal: context.signal(),
      host: context,
      onDamage: context.report.notice,
      onWait: context.report.notice,
    });
  }
  if (reused.answered === undefined) return openTemporaryStore(context);
  throw new UsageError('--max-age needs a journal', { hint: 'add --journal FILE or -o FILE' });
}
