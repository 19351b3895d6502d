/** Where a report comes from, as it stands on it: without secrets, and without the names of folders. */
import { basename } from 'node:path';
import type { Context } from '../../context.ts';
import { visibleName } from '../../secrets/withhold.ts';
import { shellWord } from '../../text/shell.ts';
import { VERSION } from '../../version.ts';
import type { Origin } from './report.ts';

export interface ReportSource {
  /** The names of what was read. */
  readonly sources: readonly string[];
  readonly form: Origin['form'];
  /** The words of the command line behind `riskcli`. */
  readonly words: readonly string[];
}

export function originOf({ sources, form, words }: ReportSource, { now, platform }: Context): Origin {
  const source = sources.map((name) => visibleName(basename(name))).join(', ');
  return {
    title: `Wallet risk report: ${source}`,
    source,
    form,
    madeAt: new Date(now()).toISOString(),
    version: VERSION,
    command: ['riskcli', ...words.map((word) => shellWord(visibleName(word), platform))].join(' '),
  };
}
