/** The flags of `riskcli profile`, and what they mean together: judged here, before anything is sent. */
import { chooseFormat } from '../../cli/choose-format.ts';
import type { Options } from '../../cli/command.ts';
import { parseDuration } from '../../cli/duration.ts';
import { duration, FILE, inGroup, onOff, positive, text, value } from '../../cli/flag.ts';
import { LIST_FORMATS } from '../../cli/formats.ts';
import { UsageError } from '../../errors.ts';
import type { ListFigures } from '../../output/monitoring/list-report.ts';
import type { ResolvedRun, Settings } from '../../settings/resolve.ts';
import {
  ACCEPTABLE,
  acceptFlag,
  checksumFlag,
  columnFlag,
  curlFlag,
  failIfFlag,
  fieldsFlag,
  fileFlag,
  formatFlags,
  keyFlags,
  outputFlags,
  pagerFlag,
  policyFlag,
  readingFlags,
  serviceFlags,
  shapeFlags,
} from '../shared/flags.ts';
import { walletSource } from '../shared/list-input.ts';
import { readRules } from '../shared/rules.ts';

/** The flags of a list that tell monitoring systems what became of it. */
export const reportFlags = inGroup('Output', {
  metrics: text({
    value: 'FILE.prom',
    help: 'at the end, however the list ends, write metrics for Prometheus',
    completes: FILE,
  }),
  summary: text({
    value: 'FILE.json',
    help: 'at the end, however the list ends, write what became of it as JSON',
    completes: FILE,
  }),
});

export const flags = {
  file: fileFlag,
  column: columnFlag,
  ...readingFlags,
  checksum: checksumFlag,
  ...formatFlags(LIST_FORMATS),
  ...outputFlags,
  pager: pagerFlag,
  fields: fieldsFlag,
  ...shapeFlags,
  ...inGroup('Output', {
    partial: onOff({ help: 'write -o FILE even when the run stops early' }),
    progress: value(parseInterval, {
      value: 'DURATION',
      help: 'print progress this often when stderr is not a terminal, such as 1m',
    }),
  }),
  ...reportFlags,
  failIf: failIfFlag,
  policy: policyFlag,
  accept: acceptFlag(ACCEPTABLE, 'let rows with these statuses pass (no exit 10 or 3)', 'STATUSES'),
  ...inGroup('Pace and cost', {
    dryRun: onOff({ help: 'show what the list would cost, and send nothing' }),
    journal: text({
      value: 'FILE',
      help: 'keep answers in FILE, and ask only for what it lacks',
      completes: FILE,
    }),
    maxAge: duration({ value: 'DURATION', help: 'ask again for answers older than this' }),
    maxRequests: positive({ value: 'N', help: 'stop this run after N requests, retries included' }),
    rate: positive({ fractions: true, value: 'N', help: "at most N requests a second (never above the key's limit)" }),
    concurrency: positive({ value: 'N', help: 'at most N requests in flight' }),
  }),
  ...serviceFlags,
  ...keyFlags,
  curl: curlFlag,
};

export type ProfileFlags = Options<typeof flags>;
export type ProfileOptions = Awaited<ReturnType<typeof profileOptions>>;

/**
 * What the flags mean together, with the settings that they are read by.
 * @throws UsageError when they make no sense, or the policy cannot be read
 */
export async function profileOptions(flags: ProfileFlags, { settings, context }: ResolvedRun) {
  const { checksum, maxAge, dryRun, fields: selection, where, sort, top } = flags;
  const source = walletSource(flags);
  if (maxAge !== undefined && journalPath(flags) === undefined) {
    throw new UsageError('--max-age needs a journal', { hint: 'add --journal FILE or -o FILE' });
  }
  const isList = source.kind !== 'one' && !dryRun;
  const format = chooseFormat(flags, { choices: LIST_FORMATS, list: isList, ignoreName: dryRun });
  const walletFormat = settings.walletFormat.value;
  const rules = await readRules(flags, { context, wallets: { format: walletFormat, checksum } });
  const shape = { where, sort, top };
  /** Whether a long card may wait in a pager for somebody to read. */
  const mayWait = flags.pager && flags.mayPrompt;
  return { ...flags, ...rules, source, format, walletFormat, selection, shape, mayWait };
}

/** What is known of a run that tells monitoring systems what became of it. */
export interface RunFacts extends ListFigures {
  readonly settings?: Settings;
}

/** Takes what the run has learned; what was told before stays, unless it is told anew. */
export type Publish = (known: RunFacts) => void;

/** One run of the command: what it is to do, and what it may touch. */
export interface ProfileRun extends ResolvedRun {
  readonly options: ProfileOptions;
  /** Undefined where there is neither --metrics nor --summary. */
  readonly publish?: Publish | undefined;
}

/** The journal of this command; undefined when it keeps none. A device or standard output has no journal beside it; /dev/shm is a folder like others. */
export function journalPath({ journal, output }: Pick<ProfileFlags, 'journal' | 'output'>): string | undefined {
  if (journal !== undefined) return journal;
  const isStream = output === undefined || output === '-' || /^\/dev\/(?!shm\/)/.test(output);
  return isStream ? undefined : `${output}.journal`;
}

function parseInterval(typed: string, flag: string): number {
  const ms = parseDuration(typed, flag);
  if (ms > 0) return ms;
  throw new UsageError(`${flag} cannot be 0`, { hint: 'write it like 30s or 1m' });
}
