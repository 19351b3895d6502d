/** The options of a run of a list. */
import { existsSync } from 'node:fs';
import type { ListFigures } from '../../../output/monitoring/list-summary.ts';
import type { MatchOptions } from '../../../row/matches.ts';
import type { ResolvedRun } from '../../../settings/resolve.ts';
import type { InputOptions } from '../list-input.ts';
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
  readonly journalFile: string | undefined;
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
  const { journalNaming } = await import('../../../journal/shared-journal.ts');
  return files.flatMap((file) => journalNaming(file, uid) ?? [])[0] ?? names[0];
}

/** A device or standard output has no journal beside it; /dev/shm is a folder like others. */
export const isFileName = (output: string) => output !== '-' && !/^\/dev\/(?!shm\/)/.test(output);
