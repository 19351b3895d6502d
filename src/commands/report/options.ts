/** The flags of `riskcli report`, and what they mean together before a file is opened. */
import { chooseFormat } from '../../cli/choose-format.ts';
import type { ColorChoice } from '../../cli/color.ts';
import type { Options } from '../../cli/command.ts';
import { FILE, text } from '../../cli/flag.ts';
import type { Context } from '../../context.ts';
import type { Path } from '../../document/path.ts';
import { UsageError } from '../../errors.ts';
import type { Status } from '../../row/row.ts';
import type { WalletFormat } from '../../secrets/private-key.ts';
import { resolveSettings } from '../../settings/resolve.ts';
import {
  ACCEPTABLE,
  acceptFlag,
  failIfFlag,
  formatFlags,
  outputFlag,
  policyFlag,
  readingFlags,
} from '../shared/flags.ts';
import { type RuleSet, readRules } from '../shared/rules.ts';

export const REPORT_FORMATS = ['html', 'md'] as const;
export type ReportFormat = (typeof REPORT_FORMATS)[number];

export const flags = {
  ...readingFlags,
  ...formatFlags(REPORT_FORMATS),
  output: outputFlag,
  title: text({ value: 'TEXT', group: 'Output', help: 'what the report is called' }),
  baseline: text({
    value: 'OLD',
    group: 'Input',
    help: 'an earlier output or journal: show what changed since',
    completes: FILE,
  }),
  failIf: failIfFlag,
  policy: policyFlag,
  accept: acceptFlag(
    ACCEPTABLE,
    'rows with these statuses match nothing: no_score, failed, invalid, pending',
    'STATUSES',
  ),
};

export type ReportFlags = Options<typeof flags>;

export interface ReportOptions extends RuleSet {
  readonly file: string;
  readonly baseline: string | undefined;
  readonly format: ReportFormat;
  readonly output: string | undefined;
  readonly title: string | undefined;
  readonly policy: string | undefined;
  readonly accept: ReadonlySet<Status>;
  readonly walletFormat: WalletFormat;
  readonly scorePath: Path | undefined;
  readonly color: ColorChoice | undefined;
}

/** @throws UsageError when it makes no sense. */
export async function reportOptions(flags: ReportFlags, context: Context): Promise<ReportOptions> {
  const [file = ''] = flags.args;
  const { baseline, output, policy, accept, color } = flags;
  if (file === '-' && baseline === '-') {
    throw new UsageError('standard input is given twice', { hint: 'give a file for one of the two' });
  }
  const format = chooseFormat(flags, { choices: REPORT_FORMATS, list: true });
  if (format === 'table') {
    throw new UsageError('nothing says where the report goes', { hint: 'add -o report.html, or -o report.md' });
  }
  const settings = resolveSettings(flags, context);
  const walletFormat = settings.walletFormat.value;
  return {
    ...(await readRules(flags, { context, wallets: { format: walletFormat, checksum: false } })),
    file,
    baseline,
    format,
    output,
    title: flags.title?.trim() || undefined,
    policy,
    accept,
    walletFormat,
    scorePath: settings.score.value,
    color,
  };
}
