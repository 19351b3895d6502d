/**
 * Identifies a process beyond its number. Two containers on one volume may have the same host name and the same process numbers,
 * so a number is looked up only within the same pid namespace of the same boot of the same host.
 */
import { readFileSync, readlinkSync } from 'node:fs';
import type { Host } from '../context.ts';

/** What identifies a process. */
export type ProcessHost = Pick<Host, 'pid' | 'hostName' | 'isRunning' | 'platform' | 'uptime'>;

/** Written where the system does not say. */
export const UNKNOWN = '-';
/** The one pid namespace of a machine with macOS or Windows. */
const MACHINE = 'machine';

export interface ProcessIdentity {
  readonly host: string;
  /** The pid namespace and the boot it belongs to, or MACHINE; UNKNOWN without /proc, or with that of another one. */
  readonly space: string;
}

export function identityOfProcess({ pid, hostName, platform }: ProcessHost): ProcessIdentity {
  // One word wherever it is written; macOS lets a host name hold spaces.
  return { host: hostName().replace(/\s+/g, '_') || UNKNOWN, space: spaceOf(pid, platform) };
}

/** Other systems have a /proc with other contents. */
const hasProc = (platform: NodeJS.Platform) => platform === 'linux' || platform === 'android';

function spaceOf(pid: number, platform: NodeJS.Platform): string {
  if (platform === 'darwin' || platform === 'win32') return MACHINE;
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

export interface Writer {
  readonly pid: number;
  /** As `/proc` says, or UNKNOWN. */
  readonly started: string;
  /** For how long it has not written, milliseconds. */
  readonly silentMs: number;
}

/** Whether a writer with this host and pid namespace still runs: its number may be free, or that of a later process. */
export function stillRuns({ pid, started, silentMs }: Writer, { isRunning, platform, uptime }: ProcessHost): boolean {
  if (!isRunning(pid)) return false;
  const now = statusOf(pid, platform);
  // Without a start time: a process silent since before the last boot has ended with it.
  if (!now) return silentMs <= uptime();
  return !/[ZX]/.test(now.state) && (started === UNKNOWN || started === now.started);
}

/** State letter and start time in clock ticks since boot: fields 3 and 22 of proc_pid_stat(5), Linux's. */
function statusOf(pid: number, platform: NodeJS.Platform) {
  if (!hasProc(platform)) return undefined;
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The second field, the program's name in brackets, may itself hold spaces and brackets.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { state: fields[0] ?? '', started: fields[19] ?? UNKNOWN };
  } catch {
    return undefined;
  }
}
