/**
 * The files that tell monitoring systems the outcome of a list: --metrics and --summary. They are checked before anything
 * else is done, and written after everything else.
 */
import { constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import type { Context } from '../../../../context.ts';
import { IoError, UsageError } from '../../../../errors.ts';
import { closeQuietly } from '../../../../files/close-file.ts';
import { canonicalPath } from '../../../../files/identity.ts';
import { checkTarget } from '../../../../files/target.ts';
import { MAX_PREVIOUS_BYTES } from '../../../../output/monitoring/list-report.ts';
import { quoted } from '../../../../secrets/withhold.ts';
import { journalPath, type ListOptions } from '../options.ts';

export interface MonitoringFile {
  readonly flag: 'metrics' | 'summary';
  readonly path: string;
}

const EXTENSIONS = { metrics: '.prom', summary: '.json' } as const;

/** The flags that name files, those of a command line that could not be read included. */
export type MonitoredFlags = Partial<
  Pick<ListOptions, 'metrics' | 'summary' | 'output' | 'journal' | 'policy' | 'baseline'> & {
    readonly file: readonly string[];
  }
>;

/** The files that were typed, unchecked; the summary first, since alerts depend on the metrics. */
function typedFiles(flags: MonitoredFlags): readonly MonitoringFile[] {
  return (['summary', 'metrics'] as const).flatMap((flag) => {
    const path = flags[flag];
    return path === undefined ? [] : [{ flag, path }];
  });
}

/**
 * Which of the files typed may be written, and what is wrong with the first of the others: the run does not begin then, and
 * the file that may be written says so.
 */
export async function checkFiles(
  flags: MonitoredFlags,
  context: Context,
): Promise<{ readonly files: readonly MonitoringFile[]; readonly refusal: unknown }> {
  const files: MonitoringFile[] = [];
  let refusal: unknown;
  for (const file of typedFiles(flags)) {
    try {
      await checkFile(file, [...(await othersOf(flags)), ...files.map(ownPlace)], context);
      files.push(file);
    } catch (error) {
      refusal ??= error;
    }
  }
  return { files, refusal };
}

/** A file that the run uses for something else. */
interface Other {
  readonly path: string;
  readonly what: string;
}

const ownPlace = ({ flag, path }: MonitoringFile): Other => ({ path, what: `the file of --${flag}` });

async function othersOf(flags: MonitoredFlags): Promise<readonly Other[]> {
  const { output = [], journal, file = [], policy, baseline } = flags;
  const others = [
    ...file.map((path) => ({ path, what: 'the list' })),
    ...output.map((path) => ({ path, what: 'the output file' })),
    { path: await journalPath({ journal, output }), what: 'the journal' },
    { path: policy, what: 'the policy' },
    { path: baseline, what: 'the baseline' },
  ];
  return others.filter((other): other is Other => other.path !== undefined && other.path !== '-');
}

/** The descriptor of standard output: what goes there must not be written over. */
const STDOUT = 1;

/** @throws UsageError when it must not be written, IoError when it cannot be. */
async function checkFile({ flag, path }: MonitoringFile, others: readonly Other[], context: Context): Promise<void> {
  const extension = EXTENSIONS[flag];
  // Collectors read no other spelling of it.
  if (extname(path) !== extension) {
    throw new UsageError(`--${flag} needs the name of a ${extension} file, not ${quoted(path)}`, {
      hint: `write it like ${flag === 'metrics' ? '/var/lib/node_exporter/wallets.prom' : 'summary.json'}`,
    });
  }
  const other = others.find((other) => canonicalPath(other.path, context) === canonicalPath(path, context));
  if (other) throw new UsageError(`--${flag} ${quoted(path)} is also ${other.what}`, { hint: 'name another file' });
  const forbidden = ['-', STDOUT, ...others.map((other) => other.path)];
  const found = await checkTarget({ output: path, forbidden }, context).catch((error: unknown) => {
    // Without a cause it is riskcli that refuses: then the command line is wrong.
    if (!(error instanceof IoError) || error.cause !== undefined) throw error;
    throw new UsageError(`--${flag}: ${error.message}`, { hint: error.hint ?? 'name another file' });
  });
  if (found && !found.isFile()) {
    throw new UsageError(`--${flag}: ${quoted(path)} is not a regular file`, { hint: 'name another file' });
  }
}

/** What an earlier run has written at `path`; empty for what riskcli cannot have written. */
export function readPrevious(path: string): string {
  let fd: number | undefined;
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const stats = fstatSync(fd);
    return stats.isFile() && stats.size <= MAX_PREVIOUS_BYTES ? readFileSync(fd, 'utf8') : '';
  } catch {
    return '';
  } finally {
    closeQuietly(fd);
  }
}
