/**
 * Text of others (the service, files, file names) is hostile until it has been through here: what a terminal would
 * obey is shown instead.
 */

import { UNSAFE, unitEscapes } from './unsafe.ts';

const NAMED: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** `text` with everything that a terminal would act on, or that the eye would miss, as a visible JSON-style escape. */
export function visible(text: string): string {
  return text.replace(UNSAFE, (found) => NAMED[found] ?? unitEscapes(found));
}
