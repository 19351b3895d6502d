/** What the reports of a list say besides its rows: where they come from, and what changed since an earlier run. */

import type { WalletSource } from '../../../list-run/input.ts';
import type { ReportAbout } from '../../../output/report/report-output.ts';
import { counted } from '../../../text/words.ts';
import { openBaseline } from '../baseline.ts';
import { originOf } from '../origin.ts';
import type { ListRun } from './options.ts';

/** Reads the baseline to its end, before anything is paid. @throws as openBaseline does */
export async function aboutList(
  { options, settings, context }: ListRun,
  closers: (() => unknown)[],
): Promise<ReportAbout> {
  const { source, rules, label, baseline: file, words } = options;
  const origin = originOf({ sources: namesOf(source), form: 'list', words }, context);
  if (file === undefined) return { origin, rules, label };
  const about = aboutBaseline({ options, settings, context }, closers);
  return { origin, rules, label, baseline: await openBaseline(file, about) };
}

function aboutBaseline({ options: { source, label }, settings, context }: ListRun, closers: (() => unknown)[]) {
  return {
    newer: { name: namesOf(source).join(', '), missing: [] },
    options: { scorePath: settings.score.value, label },
    onDamage: context.report.warn,
    context,
    closers,
  };
}

function namesOf(source: WalletSource): readonly string[] {
  if (source.kind !== 'files') return [counted(source.kind === 'one' ? 1 : source.wallets.length, 'wallet')];
  return source.files.map((file) => (file === '-' ? 'standard input' : file));
}
