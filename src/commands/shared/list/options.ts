/** The options of a run of a list. */
import type { ListFormat } from '../../../cli/formats.ts';
import type { JournalUse } from '../../../list-run/answers.ts';
import type { InputOptions } from '../../../list-run/input.ts';
import type { ListFigures } from '../../../output/monitoring/list-summary.ts';
import type { MatchOptions } from '../../../row/matches.ts';
import type { ResolvedRun } from '../../../settings/resolve.ts';
import type { PrintOptions } from '../print-records.ts';
import type { ViewOptions } from '../view.ts';

export interface ListOptions
  extends InputOptions,
    ViewOptions,
    Omit<MatchOptions, keyof ViewOptions>,
    Omit<PrintOptions, keyof ViewOptions> {
  readonly format: ListFormat;
  /** The file of -o, which the run's own journal is named after. */
  readonly output: string | undefined;
  readonly journalUse: JournalUse | undefined;
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
export function journalUse(options: Pick<ListOptions, 'journal' | 'output' | 'maxAge'>): JournalUse | undefined {
  const path = journalPath(options);
  if (path === undefined) return undefined;
  const isOwn = options.journal === undefined;
  return { path, maxAge: options.maxAge, keepsRefusals: isOwn, removes: ({ isComplete }) => isOwn && isComplete };
}

/** The journal of a run; undefined when it keeps none. */
export function journalPath({ journal, output = '-' }: Pick<ListOptions, 'journal' | 'output'>): string | undefined {
  return journal ?? (output === '-' ? undefined : `${output}.journal`);
}
