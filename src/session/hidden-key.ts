/** A stored key that a variable hides: one that is rejected, or was just stored, is not the one that somebody may think. */
import { readKeys } from '../settings/files.ts';
import type { ResolvedRun } from '../settings/resolve.ts';

/** The variable that is used in place of a stored key; undefined when none is hidden. */
export async function hidingVariable({ settings, context }: ResolvedRun): Promise<string | undefined> {
  const { source, stored, value } = await settings.describeKey();
  const kept = stored ? undefined : readKeys(context).get(settings.environment.value);
  return kept && kept.key !== value ? source : undefined;
}

/** For a key that was rejected. What cannot be read hides nothing. */
export async function warnOfHiddenKey(run: ResolvedRun): Promise<void> {
  const variable = await hidingVariable(run).catch(() => undefined);
  if (variable) run.context.report.warn(hiddenKeyNote(variable, run.settings.environment.value));
}

export const hiddenKeyNote = (variable: string, environment: string) =>
  `${variable} is set, and hides the stored key; unset it, or use -e ${environment}`;
