/** Collects garbage at a moment that a test chooses, so that what is held can be weighed. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** What is held no longer is gone when this returns. */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc()');
}
