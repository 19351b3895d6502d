/** What the reports of a list say besides its rows: where they come from. */

import type { WalletSource } from '../../../list-run/input.ts';
import type { ReportAbout } from '../../../output/report/report-output.ts';
import { counted } from '../../../text/words.ts';
import { originOf } from '../origin.ts';
import type { ListRun } from './options.ts';

export function aboutList({ options, context }: ListRun): ReportAbout {
  const { source, rules, label, words } = options;
  const origin = originOf({ sources: namesOf(source), form: 'list', words }, context);
  return { origin, rules, label };
}

function namesOf(source: WalletSource): readonly string[] {
  if (source.kind !== 'files') return [counted(source.kind === 'one' ? 1 : source.wallets.length, 'wallet')];
  return source.files.map((file) => (file === '-' ? 'standard input' : file));
}
