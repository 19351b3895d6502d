/**
 * The shortest history that still fails: events are left out, then what is left is made plainer, as
 * long as the same rule is broken. The service draws what it does by wallet and attempt, so that
 * what remains goes on as before.
 */
import type { Scenario, ScenarioEvent } from './scenario.ts';

/** No more is tried. */
const MAX_TRIES = 400;

/** @param fails plays a scenario, and says whether it still breaks the rule. */
export async function shrink(scenario: Scenario, fails: (scenario: Scenario) => Promise<boolean>): Promise<Scenario> {
  let best = scenario;
  let tries = 0;
  const attempt = async (next: Scenario) => {
    if (++tries > MAX_TRIES || !(await fails(next))) return false;
    best = next;
    return true;
  };
  for (let before: Scenario | undefined; before !== best && tries < MAX_TRIES; ) {
    before = best;
    await dropEvents(() => best, attempt);
    await dropRows(() => best, attempt);
    for (const plainer of PLAINER) await attempt({ ...best, ...plainer(best) });
    await dropWords(() => best, attempt);
  }
  return best;
}

type Attempt = (scenario: Scenario) => Promise<boolean>;

/** Halves first, then ever smaller parts. */
async function dropEvents(best: () => Scenario, attempt: Attempt): Promise<void> {
  for (let size = Math.ceil(best().events.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let at = 0; at < best().events.length; ) {
      const events = best().events.filter((_, i) => i < at || i >= at + size);
      const hasRun = events.some((event) => event.do === 'run');
      if (!hasRun || !(await attempt({ ...best(), events }))) at += size;
    }
  }
}

/** Rows of the lists, halves first. */
async function dropRows(best: () => Scenario, attempt: Attempt): Promise<void> {
  for (const path of Object.keys(best().lists)) {
    const rowsOf = () => (best().lists[path] ?? '').split('\n');
    for (let size = Math.ceil(rowsOf().length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
      const head = path.endsWith('.csv') ? 1 : 0;
      for (let at = head; at < rowsOf().length - 1; ) {
        const rows = rowsOf().filter((_, i) => i < at || i >= at + size);
        const text = `${rows.filter((row) => row !== '').join('\n')}\n`;
        const isEmpty = rows.filter((row) => row !== '').length <= head;
        if (isEmpty || !(await attempt({ ...best(), lists: { ...best().lists, [path]: text } }))) at += size;
      }
    }
  }
}

/** Flags of commands that need not be there. */
async function dropWords(best: () => Scenario, attempt: Attempt): Promise<void> {
  const flags = new Set(best().events.flatMap((event) => (event.do === 'run' ? event.argv.filter(isFlag) : [])));
  for (const flag of flags) {
    if (NEEDED.includes(flag)) continue;
    await attempt({ ...best(), events: best().events.map((event) => without(event, flag)) });
  }
}

const isFlag = (word: string) => word.startsWith('--');
/** What the judge and the scenario know of beside the words. */
const NEEDED = ['--journal', '--keep', '--format'];
const ALONE = ['--json'];

function without(event: ScenarioEvent, flag: string): ScenarioEvent {
  if (event.do !== 'run') return event;
  const isOff = (word: string, i: number) => word === flag || (!ALONE.includes(flag) && event.argv[i - 1] === flag);
  return { ...event, argv: event.argv.filter((word, i) => !isOff(word, i)) };
}

const PLAINER: readonly ((scenario: Scenario) => Partial<Scenario>)[] = [
  ({ service }) => ({ service: { ...service, faults: {} } }),
  ({ service }) => ({ service: { ...service, lagging: 0 } }),
  ({ service }) => ({ service: { ...service, unknown: 0, noScore: 0 } }),
  ({ service }) => ({ service: { ...service, padding: 0 } }),
  ({ service }) => ({ service: { ...service, quota: undefined } }),
  ({ service }) => ({ service: { ...service, headers: 'all', wait: 'body' } }),
  ({ service }) => ({ service: { ...service, kind: 'bucket', rate: 200, burst: 400 } }),
  ({ service }) => ({ service: { ...service, fastest: 10, slowest: 10 } }),
  () => ({ clock: 0 }),
];
