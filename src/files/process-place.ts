/**
 * Where a process number means what it means here. Two containers on one volume may have one host name and the same
 * numbers, so a number is looked up only by those who are in the same pid namespace of the same boot of the same host.
 */
import { readFileSync, readlinkSync } from 'node:fs';
import type { Host } from '../context.ts';

/** What tells a process of ours from others. */
export type ProcessHost = Pick<Host, 'pid' | 'hostName' | 'isRunning'>;

/** Stands in the place of what the system does not say. */
export const UNKNOWN = '-';

export interface ProcessPlace {
  readonly host: string;
  /** The pid namespace and the boot it belongs to; UNKNOWN where there is no /proc, or one of another namespace. */
  readonly space: string;
}

/** The place of this process. */
export function placeOf({ pid, hostName }: ProcessHost): ProcessPlace {
  return { host: hostName(), space: spaceOf(pid) };
}

function spaceOf(pid: number): string {
  try {
    if (readlinkSync('/proc/self') !== String(pid)) return UNKNOWN;
    const [namespace] = /\d+/.exec(readlinkSync('/proc/self/ns/pid')) ?? [];
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();
    return namespace && boot ? `${namespace}/${boot}` : UNKNOWN;
  } catch {
    return UNKNOWN;
  }
}

/** When process `pid` of this place began, in clock ticks since boot; UNKNOWN where the system does not say. */
export function startOf(pid: number): string {
  return statusOf(pid)?.started ?? UNKNOWN;
}

/** Whether process `pid` of this place that began at `started` still runs: its number may be free, or that of a later one. */
export function stillRuns(
  { pid, started }: { readonly pid: number; readonly started: string },
  { isRunning }: ProcessHost,
): boolean {
  if (!isRunning(pid)) return false;
  const now = statusOf(pid);
  return !now || (!/[ZX]/.test(now.state) && (started === UNKNOWN || started === now.started));
}

/** State letter and start time in clock ticks since boot: fields 3 and 22 of proc_pid_stat(5). */
function statusOf(pid: number): { readonly state: string; readonly started: string } | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The second field, the program's name in brackets, may itself hold spaces and brackets.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { state: fields[0] ?? '', started: fields[19] ?? UNKNOWN };
  } catch {
    return undefined;
  }
}
