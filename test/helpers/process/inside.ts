/** riskcli in this process and the folder of a workplace: for tests to which a process of its own adds nothing but its start. */
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Workplace } from '../place/workplace.ts';
import { type Outcome, type RunOptions, run } from '../run.ts';

/**
 * `place.riskcli` without a process. Tests that run at the same time cannot have it: a process is in one folder.
 * Whose files are whose matters where `host` has a `uid`.
 */
export function inside({ folder, env }: Pick<Workplace, 'folder' | 'env'>, host: Pick<RunOptions, 'uid'> = {}) {
  return async (...args: Parameters<Workplace['riskcli']>): Promise<Outcome> => {
    const last = args.at(-1);
    const { env: more, input } = typeof last === 'object' ? last : {};
    const typed = args.filter((arg) => typeof arg === 'string');
    const before = process.cwd();
    process.chdir(folder);
    try {
      return await run(...typed, {
        ...host,
        env: { RISKCLI_CONFIG_DIR: join(folder, 'home/.config/riskcli'), ...env, ...more },
        home: env.HOME,
        sleep: (ms, signal) => setTimeout(ms, undefined, { signal }),
        ...(input !== undefined && { stdin: input }),
      });
    } finally {
      process.chdir(before);
    }
  };
}
