/** Flags of commands that request a list: pace, cost, progress and summary. */
import { parseDuration } from '../../../cli/duration.ts';
import { duration, FILE, inGroup, onOff, positive, text, value } from '../../../cli/flag.ts';
import { UsageError } from '../../../errors.ts';

export const summaryFlag = text({
  value: 'FILE.json',
  group: 'Output',
  help: 'write how the list ended, as JSON',
  completes: FILE,
});

export const progressFlag = value(parseInterval, {
  value: 'DURATION',
  group: 'Output',
  help: 'print progress this often when stderr is not a terminal, such as 1m',
});

export const paceFlags = inGroup('Pace and cost', {
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
});

function parseInterval(typed: string, flag: string): number {
  const ms = parseDuration(typed, flag);
  if (ms > 0) return ms;
  throw new UsageError(`${flag} cannot be 0`, { hint: 'write it like 30s or 1m' });
}
