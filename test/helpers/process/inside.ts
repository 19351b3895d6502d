/** riskcli in this process and the home of a workplace: for tests to which a process of its own adds nothing but its start. */
import { join } from 'node:path';
import { clock } from '../../../src/host/clock.ts';
import type { Workplace } from '../place/workplace.ts';
import { type Outcome, type RunOptions, run } from '../run.ts';

type Run = (...args: Parameters<Workplace['riskcli']>) => Promise<Outcome>;
type Place = Pick<Workplace, 'folder' | 'env'>;
/** Whose files are whose matters where it has a `uid`; some tests let its clock jump, or stop a run by its signal. */
type Who = Pick<RunOptions, 'uid' | 'monotonic' | 'signal' | 'stopWithin'>;

/** `place.riskcli` without a process. Tests that run at the same time cannot have it: a process is in one folder. */
export function inside(place: Place, host: Who = {}): Run {
  const riskcli = beside(place, host);
  return async (...args) => {
    const before = process.cwd();
    process.chdir(place.folder);
    try {
      return await riskcli(...args);
    } finally {
      process.chdir(before);
    }
  };
}

/** The same for tests that run at the same time: in no folder, so files are named by their whole path. */
export function beside({ folder, env }: Place, host: Who = {}): Run {
  return (...args) => {
    const last = args.at(-1);
    const { env: more, input } = typeof last === 'object' ? last : {};
    const typed = args.filter((arg) => typeof arg === 'string');
    return run(...typed, {
      ...host,
      env: { RISKCLI_CONFIG_DIR: join(folder, 'home/.config/riskcli'), ...env, ...more },
      home: env.HOME,
      sleep: clock.sleep,
      ...(input !== undefined && { stdin: input }),
    });
  };
}
