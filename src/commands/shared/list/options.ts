/** The options of a run of a list. */
import { existsSync } from 'node:fs';
import { journalNaming, othersBeside } from '../../../journal/shared-journal.ts';
import type { JournalUse } from '../../../list-run/answers.ts';
import type { InputOptions } from '../../../list-run/input.ts';
import type { ListFigures } from '../../../output/monitoring/list-summary.ts';
import type { MatchOptions } from '../../../row/matches.ts';
import type { ResolvedRun } from '../../../settings/resolve.ts';
import type { PrintOptions } from '../print-records.ts';
import type { ViewOptions } from '../view.ts';
import type { ListOutput } from './outputs.ts';

export interface ListOptions
  extends InputOptions,
    ViewOptions,
    Omit<MatchOptions, keyof ViewOptions>,
    Omit<PrintOptions, keyof ViewOptions> {
  readonly outputs: readonly ListOutput[];
  /** The files of -o, which the run's own journal is named after. */
  readonly output: readonly string[];
  readonly journalUse: JournalUse | undefined;
  /** An earlier run, for a report. */
  readonly baseline: string | undefined;
  /** --label: the column of the list by which a report calls wallets. */
  readonly label: string | undefined;
  /** The words of the command line after `riskcli`, for a report. */
  readonly words: readonly string[];
  /** Whether long cards may be shown in a pager, which waits for its reader. */
  readonly mayWait: boolean;
  readonly dryRun: boolean;
  readonly journal: string | undefined;
  /** Answers that are older than this are asked for again, milliseconds. */
  readonly maxAge: number | undefined;
  readonly policy: string | undefined;
  readonly maxRequests: number | undefined;
  readonly rate: number | undefined;
  readonly concurrency: number | undefined;
  readonly summary: string | undefined;
}

/** Adds to what the run has told before, for --summary. */
export type Tell = (figures: ListFigures) => void;

export interface ListRun extends ResolvedRun {
  readonly options: ListOptions;
  /** Undefined where there is no --summary. */
  readonly tell?: Tell | undefined;
}

/**
 * How this run uses its journal. One that it names after its output goes when nothing is left to ask; of one that was named
 * no refusals are used again, since the service may answer today what it refused last month.
 */
export async function journalUse(
  { journal, output, maxAge }: Pick<ListOptions, 'journal' | 'output' | 'maxAge'>,
  uid: number | undefined,
): Promise<JournalUse | undefined> {
  const path = await journalPath({ journal, output }, uid);
  if (path === undefined) return undefined;
  const isOwn = journal === undefined;
  const outputs = isOwn ? othersBeside(path, output.filter(isFileName)) : undefined;
  return { path, maxAge, keepsRefusals: isOwn, outputs, removes: ({ isComplete }) => isOwn && isComplete };
}

/** Standard output has no journal beside it. */
const isFileName = (output: string) => output !== '-';

/**
 * The journal of this run; undefined when it keeps none. It is named after the first regular file, unless an earlier run has
 * named one after another of the outputs.
 */
export async function journalPath(
  { journal, output = [] }: Partial<Pick<ListOptions, 'journal' | 'output'>>,
  uid?: number,
): Promise<string | undefined> {
  if (journal !== undefined) return journal;
  const files = output.filter(isFileName);
  if (files.length === 0) return undefined;
  const names = files.map((file) => `${file}.journal`);
  const found = names.find((name) => existsSync(name));
  if (found !== undefined) return found;
  return files.flatMap((file) => journalNaming(file, uid) ?? [])[0] ?? names[0];
}
