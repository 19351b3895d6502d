/** System calls of a run that are made to fail, one at a time, by strace. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Follows threads, says nothing of itself, and stops the program at the calls that are traced, not at every one. */
export const STRACE = 'strace -f --seccomp-bpf -qq';
export const hasStrace = spawnSync('bash', ['-c', `${STRACE} -V`]).status === 0;

/** One call of the main thread, or of a worker, that touches a file of the run. */
export interface Place {
  readonly call: string;
  /** Which one of its thread it is, from 1. */
  readonly nth: number;
  readonly on: string;
}

/**
 * The calls named in `calls` that a run makes to files in `folder` or to temporary ones. `run` gets what is to stand
 * before the command. Workers take their calls as they come, so of theirs only the syncs can be told.
 */
export async function placesIn(
  folder: string,
  { calls, run }: { readonly calls: readonly string[]; readonly run: (prefix: string) => Promise<unknown> },
): Promise<readonly Place[]> {
  const log = join(folder, 'strace.log');
  await run(`${STRACE} -y -o ${log} -e trace=${calls.join()}`);
  const counts = new Map<string, number>();
  const places: Place[] = [];
  let main: string | undefined;
  for (const line of readFileSync(log, 'utf8').split('\n')) {
    const [, thread, call, rest] = /^(\d+) +(\w+)\((.*)/.exec(line) ?? [];
    if (thread === undefined || call === undefined || rest === undefined) continue;
    main ??= thread;
    const nth = (counts.get(`${thread} ${call}`) ?? 0) + 1;
    counts.set(`${thread} ${call}`, nth);
    if (isOurs(rest, folder) && (thread === main || call.endsWith('sync'))) places.push({ call, nth, on: rest });
  }
  return places;
}

/** Whether a call with these arguments touches a file in `folder`, where it is run, or a temporary one. */
function isOurs(rest: string, folder: string): boolean {
  const [what = ''] = rest.replace(`AT_FDCWD<${folder}>, "`, '"').split(' = ');
  const isHere = /^"[^/"]/.test(what) || what.includes(`${folder}/`) || what.includes(`<${folder}>`);
  return isHere || /"\/tmp\/riskcli-\w{6}\W/.test(what);
}

/**
 * Makes the call at `place` fail with `error`: `prefix` is to stand before the command. `hasMissed` tells afterwards whether
 * it was another call that failed, as on a busy machine, where the program may load its parts before or after.
 */
export function failing({ call, nth }: Place, { error, folder }: { readonly error: string; readonly folder: string }) {
  const log = join(folder, 'strace.log');
  return {
    prefix: `${STRACE} -y -o ${log} -e trace=${call} -e inject=${call}:error=${error}:when=${nth}`,
    hasMissed() {
      const lines = readFileSync(log, 'utf8').split('\n');
      const [, rest] = /^\d+ +\w+\((.*)/.exec(lines.find((line) => line.includes('(INJECTED)')) ?? '') ?? [];
      return rest !== undefined && !isOurs(rest, folder);
    },
  };
}
