/** Flags of commands that request a list: pace, cost and summary. */
import { duration, FILE, inGroup, onOff, positive, text } from '../../../cli/flag.ts';

export const summaryFlag = text({
  value: 'FILE.json',
  group: 'Output',
  help: 'write how the list ended, as JSON',
  completes: FILE,
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
