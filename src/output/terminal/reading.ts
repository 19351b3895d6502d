/** How many rows of an earlier run were read so far, on the progress line of a terminal: a million take a while. */
import type { Context } from '../../context.ts';
import { createProgress } from './progress.ts';

export interface ReadingProgress {
  /** A row was read. */
  row(): void;
  /** Takes the line away for good. */
  done(): void;
}

export function showReading({ stderr, env, monotonic, report, beforeEnd }: Context): ReadingProgress {
  if (report.isQuiet) return { row() {}, done() {} };
  let rows = 0;
  const read = () => ({ done: rows, answers: rows, refusals: 0 });
  const progress = createProgress({ stderr, env, clock: { monotonic }, read });
  report.onBeforeWrite(progress.clear);
  beforeEnd(progress.done);
  return {
    row() {
      rows += 1;
      progress.update();
    },
    done: progress.done,
  };
}
