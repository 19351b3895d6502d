/**
 * Finds a variable that hides the stored key: then a key that is rejected is not the stored one,
 * and one that was just stored is not used.
 */
import { ignoreErrors } from '../files/close-file.ts';
import { readKeys } from '../settings/files.ts';
import type { ResolvedRun } from '../settings/resolve.ts';

/**
 * The variable that takes precedence over a stored key; undefined if none does, or with -e, which
 * ignores variables.
 */
export function overridingVariable({ settings: { environment }, context }: ResolvedRun): string | undefined {
  if (environment.source === '--env') return undefined;
  const stored = readKeys(context).get(environment.value);
  if (!stored) return undefined;
  return ['RISKCLI_API_KEY', 'RISKCLI_API_KEY_FILE'].find((name) => {
    const value = context.env[name]?.trim();
    return value && value !== stored.key;
  });
}

/**
 * Warns of a hidden key, after one was rejected or has just been stored. If the stored keys cannot
 * be read, it says nothing.
 */
export function warnOfHiddenKey(run: ResolvedRun): void {
  ignoreErrors(() => {
    const variable = overridingVariable(run);
    if (variable === undefined) return;
    const name = run.settings.environment.value;
    run.context.report.warn(`${variable} is set, and hides the stored key; unset it, or use -e ${name}`);
  });
}
