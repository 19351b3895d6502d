/**
 * How a run uses its journal, from the options; decided before anything that reads a journal is
 * loaded.
 */

import type { ResultStore } from '../journal/store.ts';
import { HOUR_MS } from '../text/when.ts';
import type { ListOutcome } from './outcome.ts';

/** A journal, and which of its answers are used again. */
export interface JournalUse {
  readonly path: string;
  /** How to use another one, in hints. */
  readonly alternative: string;
  /**
   * Answers that are older than this are asked for again, milliseconds; undefined when none is too
   * old.
   */
  readonly maxAge: number | undefined;
  /**
   * Whether older answers stop the run instead, because a gate would rest on them and nobody has
   * said how old they may be.
   */
  readonly refusesOlder?: boolean;
  /**
   * Whether its answers are from one run, which is continued while the newest is young enough: then
   * all of them are used again, else none.
   */
  readonly isOneRun?: boolean;
  /** Whether wallets that were refused are not asked for again. */
  readonly keepsRefusals: boolean;
  /** Whether it is removed once the rows are in place. */
  removes(outcome: ListOutcome): boolean;
  /** Adds answers that are known from elsewhere, before the list is counted. */
  seed?(store: Seeded): Promise<void>;
}

/**
 * A little less than a day: a job that runs at the same time each day asks again, even if its last
 * run was late.
 */
export const USUAL_MAX_AGE_MS = 20 * HOUR_MS;

export type Seeded = Pick<ResultStore, 'has' | 'append'>;

/**
 * How a run uses its journal. A journal that is named after the output is removed when nothing is
 * left to ask. From one that --journal names no refusals are used again, since the service may
 * answer today what it refused last month.
 */
export function journalUse(
  { journal, output = '-', maxAge }: NamedJournal,
  { hasGate }: { readonly hasGate: boolean },
): JournalUse | undefined {
  const path = journal ?? (output === '-' ? undefined : `${output}.journal`);
  if (path === undefined) return undefined;
  const isOwn = journal === undefined;
  const refusesOlder = hasGate && !isOwn && maxAge === undefined;
  return {
    path,
    alternative: isOwn ? 'choose another file with -o or --journal' : 'choose another file with --journal',
    maxAge: refusesOlder ? USUAL_MAX_AGE_MS : maxAge,
    refusesOlder,
    keepsRefusals: isOwn,
    removes: ({ isComplete }) => isOwn && isComplete,
  };
}

interface NamedJournal {
  readonly journal?: string | undefined;
  /** The file of -o. */
  readonly output?: string | undefined;
  readonly maxAge: number | undefined;
}
