/**
 * `--summary FILE.json`: how a list ended, for whoever watches it. The file is checked before
 * anything else is done, and written when rows and journal are in place: well, badly, by a signal,
 * or before the list began.
 */
import { extname } from 'node:path';
import type { Context } from '../context.ts';
import { ExitCode, exitCodeOf, graverError, IoError, ReaderGoneError, RiskcliError, UsageError } from '../errors.ts';
import { canonicalPath } from '../files/identity.ts';
import { checkTarget, writeTarget } from '../files/target.ts';
import { type ListFigures, listSummary } from '../output/monitoring/list-summary.ts';
import { quoted } from '../secrets/redact.ts';
import { journalPath } from './answers.ts';

/** Adds to the figures that the run has reported so far. */
export type AddFigures = (figures: ListFigures) => void;

/** The flags that name files. */
export interface NamedFiles {
  readonly summary?: string | undefined;
  readonly file?: string | undefined;
  readonly output?: string | undefined;
  readonly journal?: string | undefined;
  readonly policy?: string | undefined;
}

/**
 * Runs `work`, and writes how it ended. @throws what `work` throws, or a graver failure to write
 */
export async function summarised<T>(
  files: NamedFiles & { readonly summary: string },
  context: Context,
  work: (addFigures: AddFigures) => Promise<T>,
): Promise<T> {
  const { summary } = files;
  await checkSummary(summary, othersOf(files), context);
  const [startedAt, began] = [context.now(), context.monotonic()];
  let figures: ListFigures = {};
  const write = (error: unknown) => {
    const text = listSummary({
      ...figures,
      startedAt,
      endedAt: context.now(),
      durationMs: context.monotonic() - began,
      exitCode: error === undefined ? ExitCode.ok : exitCodeOf(error),
      errorCode: error === undefined ? undefined : error instanceof RiskcliError ? error.code : 'fault',
    });
    return writeTarget(text, { output: summary, host: context });
  };
  // A second signal ends the process at once: the file is written when the first one comes, and
  // again at the end.
  let early = Promise.resolve();
  const signal = context.signal();
  signal.addEventListener('abort', () => {
    early = write(signal.reason).catch(() => {});
  });
  const end = await work((more) => {
    figures = { ...figures, ...more };
  }).then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
  await early;
  const failure = await write('error' in end ? end.error : undefined).then(() => undefined, toFailure);
  if ('value' in end && failure === undefined) return end.value;
  throw graver('error' in end ? end.error : undefined, failure, context);
}

const toFailure = (error: unknown) => error;

/** The graver of two errors, with which the run ends; the other is reported as a warning. */
function graver(error: unknown, failure: unknown, { report }: Context): unknown {
  const gravest = graverError(error, failure);
  const other = gravest === error ? failure : error;
  if (other instanceof RiskcliError && !(gravest instanceof ReaderGoneError)) report.warn(other.message);
  return gravest;
}

/** A file that the run uses for something else. */
interface Other {
  readonly path: string;
  readonly what: string;
}

function othersOf({ output, journal, file, policy }: NamedFiles): readonly Other[] {
  const others = [
    { path: file, what: 'the list' },
    { path: output, what: 'the output file' },
    { path: journalPath({ journal, output }), what: 'the journal' },
    { path: policy, what: 'the policy' },
  ];
  return others.filter((other): other is Other => other.path !== undefined && other.path !== '-');
}

/** The descriptor of standard output: what goes there must not be written over. */
const STDOUT = 1;

/** @throws UsageError when it must not be written, IoError when it cannot be */
async function checkSummary(summary: string, others: readonly Other[], context: Context): Promise<void> {
  const hint = 'name another file';
  if (extname(summary) !== '.json') {
    throw new UsageError(`--summary needs the name of a .json file, not ${quoted(summary)}`, {
      hint: 'write it like summary.json',
    });
  }
  const other = others.find(({ path }) => canonicalPath(path, context) === canonicalPath(summary, context));
  if (other) throw new UsageError(`--summary ${quoted(summary)} is also ${other.what}`, { hint });
  const forbidden = ['-', STDOUT, ...others.map(({ path }) => path)];
  const found = await checkTarget({ output: summary, forbidden }, context).catch((error: unknown) => {
    // Without a cause it is riskcli that refuses: then the command line is wrong.
    if (!(error instanceof IoError) || error.cause !== undefined) throw error;
    throw new UsageError(`--summary: ${error.message}`, { hint: error.hint ?? hint });
  });
  if (found && !found.isFile()) throw new UsageError(`--summary: ${quoted(summary)} is not a regular file`, { hint });
}
