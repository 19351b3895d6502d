/** What was typed after `riskcli report`, and what it means before a file is opened. */
import { chooseFormat } from '../../cli/choose-format.ts';
import type { ParsedArgs } from '../../cli/flag.ts';
import type { Context } from '../../context.ts';
import type { Path } from '../../document/path.ts';
import { UsageError } from '../../errors.ts';
import type { Status } from '../../row/row.ts';
import { resolveSettings } from '../../settings/resolve.ts';
import type { WalletFormat } from '../../text/secret.ts';
import { parseAccept } from '../profile/options.ts';
import { type RuleSet, readRules } from '../profile/rules.ts';

export const REPORT_FORMATS = ['html', 'md'] as const;
export type ReportFormat = (typeof REPORT_FORMATS)[number];

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
}

/** @throws UsageError when it makes no sense. */
export async function parseReport(typed: ParsedArgs, context: Context): Promise<ReportOptions> {
  const [file = ''] = typed.args;
  const baseline = typed.text('baseline');
  if (file === '-' && baseline === '-') {
    throw new UsageError('standard input is given twice', { hint: 'give a file for one of the two' });
  }
  const format = chooseFormat(typed, { choices: REPORT_FORMATS, list: true });
  if (format === 'table') {
    throw new UsageError('nothing says where the report goes', { hint: 'add -o report.html, or -o report.md' });
  }
  const settings = resolveSettings(typed, context);
  const walletFormat = settings.walletFormat.value;
  return {
    ...(await readRules(typed, { context, wallets: { format: walletFormat, checksum: false } })),
    file,
    baseline,
    format,
    output: typed.text('output'),
    title: typed.text('title')?.trim() || undefined,
    policy: typed.text('policy'),
    accept: parseAccept(typed.all('accept')),
    walletFormat,
    scorePath: settings.score.value,
  };
}
