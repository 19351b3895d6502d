/** --metrics and --summary of the commands that run a list: their code is loaded when one of them was typed. */
import type { Context } from '../../context.ts';
import type { SettingFlags } from '../../settings/resolve.ts';
import type { MonitoredFlags } from './list/monitoring/monitoring-files.ts';
import type { Publish } from './list/options.ts';

type Flags = MonitoredFlags & SettingFlags & { readonly dryRun?: boolean | undefined };

/** A dry run leaves the files of the last run as they are. */
const wantsMonitoring = ({ dryRun = false, metrics, summary }: Partial<Flags>) =>
  !dryRun && (metrics !== undefined || summary !== undefined);

export async function monitored<T>(
  flags: Flags,
  context: Context,
  work: (publish?: Publish) => Promise<T>,
): Promise<T> {
  if (!wantsMonitoring(flags)) return work();
  const { monitorRun } = await import('./list/monitoring/monitored-run.ts');
  return monitorRun({ flags, context }, work);
}

/** Without this, a monitoring system would take the last success for today's after a mistyped option. */
export async function rescueMonitored(
  error: unknown,
  { options, context, isUnread }: { readonly options: Flags; readonly context: Context; readonly isUnread: boolean },
): Promise<undefined> {
  if (!isUnread || !wantsMonitoring(options)) return;
  const { monitorUnread } = await import('./list/monitoring/monitored-run.ts');
  await monitorUnread({ flags: options, context }, error);
}
