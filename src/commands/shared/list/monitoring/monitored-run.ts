/**
 * Runs a list so that --metrics and --summary tell how it ended: well, badly, by a signal, or before it began. The run does
 * not depend on them: they are written when rows and journal are in place.
 */
import { existsSync } from 'node:fs';
import type { Context } from '../../../../context.ts';
import { resolveSettings, type SettingFlags } from '../../../../settings/resolve.ts';
import type { Publish, RunFacts } from '../options.ts';
import { checkFiles, type MonitoredFlags, readPrevious } from './monitoring-files.ts';
import { type RunEnd, unlessUnknown, writeEarly, writeFiles } from './write-files.ts';

interface MonitoredCommand {
  readonly flags: MonitoredFlags & SettingFlags;
  readonly context: Context;
}

/**
 * Runs `work`, which publishes what it learns, and writes the files that were typed.
 * @throws what `work` throws, or a graver failure to write
 */
export async function monitorRun<T>(
  { flags, context }: MonitoredCommand,
  work: (publish: Publish) => Promise<T>,
): Promise<T> {
  // From here on a signal lets the run end in order, with its files written.
  context.signal();
  const [startedAt, began] = [context.now(), context.monotonic()];
  const { files, refusal } = await checkFiles(flags, context);
  let known: RunFacts = refusal === undefined ? {} : knownSettings({ flags, context });
  const endedBy = (error: unknown): RunEnd => {
    const durationMs = context.monotonic() - began;
    return { known, error, startedAt, durationMs, context };
  };
  const signals = watchSignals(context, (reason) => writeEarly(files, endedBy(reason)));
  const attempt =
    refusal === undefined
      ? work((more) => {
          known = { ...known, ...more };
        })
      : Promise.reject(refusal);
  const { value, error } = await attempt.then(
    (value) => ({ value, error: undefined }),
    (error: unknown) => ({ value: undefined, error }),
  );
  await signals.close();
  const failure = await writeFiles(files, endedBy(error));
  if (failure !== undefined) throw failure;
  return value as T;
}

/**
 * How long an orderly end may take before the files are written early, in milliseconds: a second signal may come, or
 * context.ts may end a run that waits for a pipe.
 */
const EARLY_MS = 300;

/** Calls `write` when a signal has come and the run goes on: requests are awaited, or a pipe that nobody opens. */
function watchSignals({ signal: getSignal, sleep }: Context, write: (reason: unknown) => Promise<void>) {
  const signal = getSignal();
  const over = new AbortController();
  let writing: Promise<void> | undefined;
  const onAbort = () => {
    writing = sleep(EARLY_MS, over.signal).then(
      () => write(signal.reason),
      () => {},
    );
  };
  signal.addEventListener('abort', onAbort);
  if (signal.aborted) onAbort();
  return {
    /** The run is over. Resolves when nothing is being written. */
    async close() {
      signal.removeEventListener('abort', onAbort);
      over.abort();
      await writing;
    },
  };
}

/**
 * Reports a run whose command line could not be read, to the files named in the part that could. The part that could not
 * may say what else such a file is, so only files that riskcli wrote are replaced.
 */
export async function monitorUnread(run: MonitoredCommand, error: unknown): Promise<void> {
  const { flags, context } = run;
  const { files } = await checkFiles(flags, context);
  const own = files.filter(({ path }) => !existsSync(path) || SIGNATURE.test(readPrevious(path)));
  await writeFiles(own, { known: knownSettings(run), error, startedAt: context.now(), durationMs: 0, context });
}

/** The settings of a run that did not get far enough to publish them. */
function knownSettings({ flags, context }: MonitoredCommand): RunFacts {
  const settings = unlessUnknown(() => resolveSettings(flags, context));
  return settings ? { settings } : {};
}

/** How the files begin that riskcli writes. */
const SIGNATURE = /^(?:# HELP riskcli_list_|\{\n {2}"exit_code": )/;
