/** What a run of a list is told, and what it tells of itself. */
import { existsSync } from 'node:fs';
import type { ListOutcome } from '../../../batch/outcome.ts';
import { exitCodeOf } from '../../../cli/messages.ts';
import { ExitCode } from '../../../errors.ts';
import { journalNaming } from '../../../journal/shared-journal.ts';
import type { ListRecord } from '../../../lists/list.ts';
import type { ListFigures } from '../../../output/monitoring/list-report.ts';
import type { MatchOptions } from '../../../row/matches.ts';
import type { Row } from '../../../row/row.ts';
import type { ResolvedRun, Settings } from '../../../settings/resolve.ts';
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
  /** Of the command line behind `riskcli`, for a report. */
  readonly words: readonly string[];
  /** Where a list may be cards: whether a long one may wait in a pager for somebody to read. */
  readonly mayWait: boolean;
  /** Whether a list that stops early is written as far as it came. */
  readonly partial: boolean;
  readonly dryRun: boolean;
  /** --journal. */
  readonly journal: string | undefined;
  /** Whether that journal is kept for good from now on. */
  readonly journalStays: boolean;
  /** Answers that are older are asked for again, milliseconds. */
  readonly maxAge: number | undefined;
  readonly policy: string | undefined;
  readonly maxRequests: number | undefined;
  readonly rate: number | undefined;
  readonly concurrency: number | undefined;
  /** How often progress is told where nobody watches, milliseconds. */
  readonly progress: number | undefined;
  readonly metrics: string | undefined;
  readonly summary: string | undefined;
}

/** What is known of a run that tells monitoring systems what became of it. */
export interface RunFacts extends ListFigures {
  readonly settings?: Settings;
}

/** Takes what the run has learned; what was told before stays, unless it is told anew. */
export type Publish = (known: RunFacts) => void;

/** What the journal knew at a time. */
export interface KnownThen {
  readonly asOf: number;
  /** Whether the list had the wallet then: a journal may serve others. */
  readonly wasListed: (id: string) => boolean;
}

/** What a command makes of a list's rows besides its output. */
export interface Companion {
  /** The journal is open, the list is begun, and nothing was sent. `first` are its first records. @returns what reports compare with */
  begin(first: readonly ListRecord[]): Promise<KnownThen | undefined>;
  row(row: Row): void;
  /** The list went through, with an end that `isWhole` takes for one: files are in place. @returns with what it ends now */
  end(outcome: ListOutcome, failure: unknown): Promise<unknown>;
  close(): void;
}

/** What went through, whatever was found: refused rows and conditions that match are what a list may end with any day. */
const WHOLE: readonly ExitCode[] = [ExitCode.ok, ExitCode.rows, ExitCode.matched];

/** Whether a list that ends with `failure` went through. */
export const isWhole = (failure: unknown): boolean => failure === undefined || WHOLE.includes(exitCodeOf(failure));

/** One run of a list: what it is to do, and what it may touch. */
export interface ListRun extends ResolvedRun {
  readonly options: ListOptions;
  /** Undefined where there is neither --metrics nor --summary. */
  readonly publish?: Publish | undefined;
  /** A list that has one has no output but the files of -o, which stay as they were unless it went through. */
  readonly companion?: Companion | undefined;
}

/**
 * The journal of this run; undefined when it keeps none. It is named after the first regular file; one that an earlier run has
 * named after another of its outputs is found.
 */
export function journalPath(
  { journal, output = [] }: Partial<Pick<ListOptions, 'journal' | 'output'>>,
  uid?: number,
): string | undefined {
  if (journal !== undefined) return journal;
  const files = output.filter(isFileName);
  const names = files.map((file) => `${file}.journal`);
  const found = names.find((name) => existsSync(name));
  return found ?? files.flatMap((file) => journalNaming(file, uid) ?? [])[0] ?? names[0];
}

/** A device or standard output has no journal beside it; /dev/shm is a folder like others. */
export const isFileName = (output: string) => output !== '-' && !/^\/dev\/(?!shm\/)/.test(output);
