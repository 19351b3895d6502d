/** The flags of `riskcli review`, and what they mean together: judged here, before anything is sent. */
import { chooseFormat, outputsByName } from '../../cli/choose-format.ts';
import type { Options } from '../../cli/command.ts';
import { onOff } from '../../cli/flag.ts';
import type { Context } from '../../context.ts';
import { UsageError } from '../../errors.ts';
import { parseFieldSelection } from '../../row/fields.ts';
import {
  acceptStatusesFlag,
  checksumFlag,
  columnFlag,
  failIfFlag,
  formatFlags,
  keyFlags,
  labelFlag,
  minChangeFlag,
  outputFlags,
  policyFlag,
  serviceFlags,
  sinceFlag,
} from '../shared/flags.ts';
import { paceFlags, summaryFlag } from '../shared/list/flags.ts';
import { OUTPUT_FORMATS } from '../shared/list/outputs.ts';
import { readRules } from '../shared/rules.ts';

const FORMATS = ['table', 'json'] as const;

export const flags = {
  column: columnFlag,
  checksum: checksumFlag,
  since: {
    ...sinceFlag,
    help: 'compare with what was known then: 7d, 20h, 2026-11-15 (its end, UTC), or a time (default: the last review)',
  },
  ...formatFlags(FORMATS),
  output: { ...outputFlags.output, help: 'write the rows, or a report of them (.html, .md), to FILE; repeatable' },
  label: labelFlag,
  onlyNews: onOff({
    group: 'Output',
    help: 'print nothing unless something newly matched, changed, came, went or failed',
  }),
  minChange: minChangeFlag,
  summary: summaryFlag,
  failIf: failIfFlag,
  policy: policyFlag,
  accept: acceptStatusesFlag,
  ...paceFlags,
  journal: {
    ...paceFlags.journal,
    help: 'keep answers in FILE for good, and ask only for what it lacks (default: LIST.journal)',
  },
  maxAge: { ...paceFlags.maxAge, help: 'ask again for answers older than this (default: 20h)' },
  ...serviceFlags,
  ...keyFlags,
};

export type ReviewFlags = Options<typeof flags>;

const HOUR_MS = 3_600_000;
/** A little less than a day: a review at the same time each day asks again, also when one came late. */
const MAX_AGE_MS = 20 * HOUR_MS;

/** Where the list is, and where its answers are kept. @throws UsageError when nothing says the latter */
export function placesOf({ args, journal }: ReviewFlags) {
  const [list = ''] = args;
  if (journal !== undefined) return { list, journal };
  if (list !== '-') return { list, journal: `${list}.journal` };
  throw new UsageError('a list from standard input has no name for its journal', { hint: 'add --journal FILE' });
}

export type ReviewOptions = Awaited<ReturnType<typeof reviewOptions>>;

/** What the flags mean together. @throws UsageError when they make no sense, or the policy cannot be read */
export async function reviewOptions(typed: ReviewFlags & ReturnType<typeof placesOf>, context: Context) {
  const { list, journal, output, checksum, dryRun, maxAge = MAX_AGE_MS } = typed;
  const files = outputsByName(output, { choices: OUTPUT_FORMATS, list: true });
  const format = chooseFormat({ ...typed, output: [] }, { choices: FORMATS });
  if (output.includes('-')) {
    throw new UsageError('standard output has the review, and no rows', { hint: 'name a file, or leave -o out' });
  }
  const rules = await readRules(typed, { context, wallets: { checksum } });
  const words = ['review', ...typed.typedWords];
  return {
    ...typed,
    ...rules,
    maxAge,
    format,
    outputs: dryRun ? [{ path: '-', format }] : files,
    journalFile: journal,
    baseline: undefined,
    words,
    since: typed.since?.at(context.now()),
    source: { kind: 'files', files: [list] } as const,
    journalStays: true,
    selection: parseFieldSelection([]),
    shape: {},
    header: true,
    mayWait: false,
  };
}
