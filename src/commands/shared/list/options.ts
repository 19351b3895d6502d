/** The options of a run of a list. */
import { existsSync } from 'node:fs';
import type { ListOutcome } from '../../../batch/outcome.ts';
import { exitCodeOf } from '../../../cli/messages.ts';
import { ExitCode } from '../../../errors.ts';
import type { ListRecord } from '../../../lists/list.ts';
import type { ListFigures } from '../../../output/monitoring/list-summary.ts';
import type { MatchOptions } from '../../../row/matches.ts';
import type { Row } from '../../../row/row.ts';
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
  /** Whether that journal is kept for good from now on. */
  readonly journalStays: boolean;
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

/** A past state of the journal, for a review's report to compare with. */
export interface KnownThen {
  readonly asOf: number;
  /** Whether the list had the wallet then: a journal may serve others. */
  readonly wasListed: (id: string) => boolean;
}

/** What a command does with a list's rows besides writing them. */
export interface Companion {
  /** Called when the journal is open and nothing was sent. `first` are the first records. @returns what reports compare with */
  begin(first: readonly ListRecord[]): Promise<KnownThen | undefined>;
  row(row: Row): void;
  /** Called when the list is complete (isWhole) and the files are in place. @returns the error with which the run ends */
  end(outcome: ListOutcome, failure: unknown): Promise<unknown>;
  close(): void;
}

/** With these a list is complete: refused rows and matches are everyday results. */
const WHOLE: readonly ExitCode[] = [ExitCode.ok, ExitCode.rows, ExitCode.matched];

/** Whether a list that ends with `failure` is complete. */
export const isWhole = (failure: unknown): boolean => failure === undefined || WHOLE.includes(exitCodeOf(failure));

export interface ListRun extends ResolvedRun {
  readonly options: ListOptions;
  /** Undefined where there is no --summary. */
  readonly tell?: Tell | undefined;
  /** A list that has one writes only the files of -o, and only when it is complete. */
  readonly companion?: Companion | undefined;
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
