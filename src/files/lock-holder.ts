/**
 * Which process holds a lock, beyond its number: two containers on one volume may have the same
 * host name and the same process numbers, so a number is looked up only within the same pid
 * namespace of the same boot of the same host.
 */
import { readFileSync, readlinkSync } from 'node:fs';
import type { Host } from '../context.ts';

export type HolderHost = Pick<Host, 'pid' | 'hostName' | 'isRunning' | 'platform'>;

/** Written where the system does not say. */
export const UNKNOWN = '-';

/**
 * `host/pid-space`, one word. The pid space is unknown if there is no /proc, or if /proc belongs to
 * another namespace.
 */
export function holderPlace({ pid, hostName, platform }: HolderHost): string {
  // macOS lets a host name hold spaces.
  return `${hostName().replace(/[\s/]+/g, '_')}/${spaceOf(pid, platform)}`;
}

/** Whether processes that run at `place` can be looked up by their number. */
export const isVisible = (place: string, host: HolderHost) =>
  place === holderPlace(host) && !place.endsWith(`/${UNKNOWN}`);

/** Other systems have a /proc with other contents. */
const hasProc = (platform: NodeJS.Platform) => platform === 'linux' || platform === 'android';

function spaceOf(pid: number, platform: NodeJS.Platform): string {
  // The one pid namespace of a machine.
  if (platform === 'darwin' || platform === 'win32') return 'machine';
  if (!hasProc(platform)) return UNKNOWN;
  try {
    if (readlinkSync('/proc/self') !== String(pid)) return UNKNOWN;
    const [namespace] = /\d+/.exec(readlinkSync('/proc/self/ns/pid')) ?? [];
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();
    return namespace && boot ? `${namespace}/${boot}` : UNKNOWN;
  } catch {
    return UNKNOWN;
  }
}

/**
 * When the process began, in clock ticks since boot; UNKNOWN where the system does not say, and
 * `never` for a process that has ended but was not waited for.
 */
export function processStart(pid: number, { platform }: HolderHost): string {
  if (!hasProc(platform)) return UNKNOWN;
  try {
    // State letter and start time: fields 3 and 22 of proc_pid_stat(5), Linux's.
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The second field, the program's name in brackets, may itself hold spaces and brackets.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return /[ZX]/.test(fields[0] ?? '') ? 'never' : (fields[19] ?? UNKNOWN);
  } catch {
    return UNKNOWN;
  }
}
