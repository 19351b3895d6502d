/** The flags of `riskcli profile`, and what they mean together: judged here, before anything is sent. */
import { chooseFormat } from '../../cli/choose-format.ts';
import type { ColorChoice } from '../../cli/color.ts';
import { parseDuration } from '../../cli/duration.ts';
import { duration, FILE, type FlagValues, inGroup, onOff, positive, text, value } from '../../cli/flag.ts';
import { LIST_FORMATS, type ListFormat } from '../../cli/formats.ts';
import { UsageError } from '../../errors.ts';
import type { FieldSelection } from '../../row/fields.ts';
import type { Status } from '../../row/row.ts';
import type { Shape } from '../../row/shape.ts';
import type { WalletFormat } from '../../secrets/private-key.ts';
import type { ResolvedRun } from '../../settings/resolve.ts';
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
import { type InputOptions, type WalletSource, walletSource } from '../shared/list-input.ts';
import { type RuleSet, readRules } from '../shared/rules.ts';
import type { Publish } from './report/run-facts.ts';

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

export type ProfileFlags = FlagValues<typeof flags> & {
  readonly args: readonly string[];
  readonly env: string | undefined;
  readonly color: ColorChoice | undefined;
  readonly mayPrompt: boolean;
};

export interface ProfileOptions extends RuleSet, InputOptions {
  readonly source: WalletSource;
  readonly format: ListFormat;
  readonly output: string | undefined;
  readonly header: boolean;
  readonly selection: FieldSelection;
  readonly color: ColorChoice | undefined;
  /** Whether a long card may wait in a pager for somebody to read. */
  readonly mayWait: boolean;
  readonly shape: Shape;
  readonly accept: ReadonlySet<Status>;
  readonly partial: boolean;
  /** The file of --policy. */
  readonly policy: string | undefined;
  readonly journal: string | undefined;
  /** Milliseconds. */
  readonly maxAgeMs: number | undefined;
  readonly dryRun: boolean;
  /** How often a line says how far a list is, milliseconds. */
  readonly progressMs: number | undefined;
  readonly maxRequests: number | undefined;
  readonly rate: number | undefined;
  readonly concurrency: number | undefined;
}

/** One run of the command: what it is to do, and what it may touch. */
export interface ProfileRun extends ResolvedRun {
  readonly options: ProfileOptions;
  /** Takes what --metrics and --summary are to tell; undefined where there is neither. */
  readonly publish?: Publish | undefined;
}

/**
 * What the flags mean together, with the settings that they are read by.
 * @throws UsageError when they make no sense, or the policy cannot be read
 */
export async function profileOptions(flags: ProfileFlags, { settings, context }: ResolvedRun): Promise<ProfileOptions> {
  const { checksum, output, journal, maxAge: maxAgeMs, dryRun } = flags;
  const source = walletSource(flags);
  if (maxAgeMs !== undefined && journalPath({ journal, output }) === undefined) {
    throw new UsageError('--max-age needs a journal', { hint: 'add --journal FILE or -o FILE' });
  }
  const format = chooseFormat(flags, {
    choices: LIST_FORMATS,
    list: source.kind !== 'one' && !dryRun,
    ignoreName: dryRun,
  });
  const walletFormat: WalletFormat = settings.walletFormat.value;
  return {
    ...(await readRules(flags, { context, wallets: { format: walletFormat, checksum } })),
    source,
    format,
    output,
    header: flags.header,
    selection: flags.fields,
    color: flags.color,
    mayWait: flags.pager && flags.mayPrompt,
    shape: { where: flags.where, sort: flags.sort, top: flags.top },
    accept: flags.accept,
    walletFormat,
    checksum,
    column: flags.column,
    partial: flags.partial,
    policy: flags.policy,
    journal,
    maxAgeMs,
    dryRun,
    progressMs: flags.progress,
    maxRequests: flags.maxRequests,
    rate: flags.rate,
    concurrency: flags.concurrency,
  };
}

/** The journal of this command; undefined when it keeps none. A device or standard output has no journal beside it; /dev/shm is a folder like others. */
export function journalPath({ journal, output }: Pick<ProfileOptions, 'journal' | 'output'>): string | undefined {
  if (journal !== undefined) return journal;
  const isStream = output === undefined || output === '-' || /^\/dev\/(?!shm\/)/.test(output);
  return isStream ? undefined : `${output}.journal`;
}

function parseInterval(typed: string, flag: string): number {
  const ms = parseDuration(typed, flag);
  if (ms > 0) return ms;
  throw new UsageError(`${flag} cannot be 0`, { hint: 'write it like 30s or 1m' });
}
