/**
 * What a command may touch: streams, environment, clock, randomness, the wish to stop. This is the only file in src
 * that reads process, Date.now or Math.random, so a test replaces the whole world by passing another context.
 */
import { ExitCode, SignalError, type StopSignal } from './errors.ts';

/** Time and chance. Durations are milliseconds everywhere. */
export interface Clock {
  /** Wall clock, milliseconds since 1970. For what is shown or stored, never for measuring. */
  readonly now: () => number;
  /** Monotonic clock in milliseconds, unaffected by a stepped system clock. */
  readonly monotonic: () => number;
  /** Resolves after `ms`, or rejects with the signal's reason. Safe for waits beyond 2^31 - 1 ms. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** Uniform in [0, 1). */
  readonly random: () => number;
}

export interface InputStream extends NodeJS.ReadableStream {
  readonly isTTY?: boolean;
  setRawMode?(mode: boolean): unknown;
  destroy?(): unknown;
  unref?(): unknown;
}

export interface OutputStream extends NodeJS.WritableStream {
  readonly isTTY?: boolean;
  /** Terminal width; 0 and undefined count as 80. */
  readonly columns?: number;
}

/** Where a command says things that are not its data. Everything goes to stderr; text of others is escaped here. */
export interface Reporter {
  /** Something that the user must know; printed even with -q. */
  notice(text: string): void;
  /** Something worth knowing; -q silences it. */
  note(text: string): void;
  /** What a person likes to read after a command that went well: a note where stderr is a terminal, else nothing. */
  remark(text: string): void;
  /** The one line of a failure; printed even with -q. */
  error(error: unknown): void;
  /** A line for -v only. */
  verbose(text: string): void;
  /** Keeps `secret` out of every line from now on, whatever it was typed as. */
  withhold(secret: string): void;
  /** Has `prepare` called before each line: it clears the last line of the terminal, where the progress stands. */
  beforeEach(prepare: () => void): void;
  readonly isVerbose: boolean;
  readonly isQuiet: boolean;
  /** Whether each line is a JSON object. */
  readonly isJson: boolean;
}

export type Environment = Readonly<Record<string, string | undefined>>;

export interface Host extends Clock {
  /** Whether this process is at its limit: in the last tenth of a second it had hardly a moment with nothing to do. */
  readonly isBusy: () => boolean;
  /** Opened only when asked for: a command that reads nothing never touches it. */
  readonly stdin: () => InputStream;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  readonly env: Environment;
  readonly platform: NodeJS.Platform;
  /** The version of node, `20.11.1`. */
  readonly nodeVersion: string;
  readonly pid: number;
  /** Whether any process has the number `pid`. */
  readonly isRunning: (pid: number) => boolean;
  /** What this machine is called. */
  readonly hostName: () => string;
  /** Where temporary files go. */
  readonly temporaryFolder: () => string;
  /** The user that the process runs as; undefined where there are none (Windows). */
  readonly uid?: number;
  /** The user's home folder, or undefined where there is none (no passwd entry, HOME empty or relative). */
  readonly home: string | undefined;
  /**
   * Aborts with a SignalError on SIGINT, SIGTERM or SIGHUP. Until it is called for the first time, these signals end the
   * process at once, as they do by default.
   */
  readonly signal: () => AbortSignal;
  /**
   * Lets the orderly stop after a signal take `ms` from now, instead of less than a second from the signal: something is
   * still worth waiting for.
   */
  readonly stopWithin: (ms: number) => void;
  /** Keeps watch over a terminal in raw mode, which would stay so when a signal ends or stops the process. */
  readonly guardTerminal: (owner: TerminalOwner) => TerminalGuard;
}

/** Who has changed the terminal's mode. */
export interface TerminalOwner {
  /** Called before the process ends or stops by a signal: the terminal has to be as it was found. */
  readonly leave: () => void;
  /** Called when the process goes on after a stop: a shell has used the terminal meanwhile. May be called twice. */
  readonly comeBack: () => void;
}

export interface TerminalGuard {
  /** Sends what the terminal would have sent for a key, had it not been raw: to every process of the job. */
  raise(signal: 'SIGQUIT' | 'SIGTSTP'): void;
  release(): void;
}

/** What main hands to a command: the host and a reporter that fits the flags typed. */
export interface Context extends Host {
  readonly report: Reporter;
}

const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Like performance.now(), whose module takes 2 ms to load. */
function monotonic(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1e3 + nanoseconds / 1e6;
}

async function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  let left = Math.max(0, ms);
  for (; left > LONGEST_TIMER_MS; left -= LONGEST_TIMER_MS) await wait(LONGEST_TIMER_MS, signal);
  await wait(left, signal);
}

/** Like node:timers/promises, which takes a millisecond to load. */
function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal?.addEventListener('abort', stop, { once: true });
  });
}

/** node:os is loaded where it is needed: most runs do without. */
const system = () => process.getBuiltinModule('node:os');

/** Loaded when it is asked for: it takes 3 ms, and most runs with one wallet have no use for it. */
export const crypto = () => process.getBuiltinModule('node:crypto');

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // EPERM: it runs, as another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

function findHome(env: Environment): string | undefined {
  if (env.HOME !== undefined) return env.HOME.startsWith('/') ? env.HOME : undefined;
  try {
    return system().homedir() || undefined;
  } catch {
    return undefined;
  }
}

/** How long an orderly stop may take before the signal takes its usual effect, in milliseconds; more if `stopWithin` says so. */
const STOP_WITHIN_MS = 900;

/**
 * The first signal aborts; the second, or an orderly stop that takes too long, ends the process at once the way the
 * system would, so that the shell sees the signal.
 */
function stopOnSignals() {
  const controller = new AbortController();
  let end = () => {};
  let timer: NodeJS.Timeout | undefined;
  const stopWithin = (ms: number) => {
    clearTimeout(timer);
    timer = setTimeout(() => end(), ms).unref();
  };
  const handle = (signal: StopSignal) => {
    end = () => {
      process.removeAllListeners(signal);
      process.kill(process.pid, signal);
    };
    if (controller.signal.aborted) return end();
    stopWithin(STOP_WITHIN_MS);
    controller.abort(new SignalError(signal));
  };
  for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM'] as const) process.on(signal, () => handle(signal));
  return { signal: controller.signal, stopWithin };
}

/**
 * When it ends, node gives each terminal the mode back that it found, and Node 20 aborts where that terminal is gone; the core
 * file would hold the key. What is closed is left alone. A run that failed then has failed because of the hang-up.
 */
function letGoOfLostTerminals(): void {
  if (process.platform === 'win32') return;
  const { closeSync, fstatSync, statSync } = process.getBuiltinModule('node:fs');
  const nowhere = statSync('/dev/null').rdev;
  const devices = [0, 1, 2].filter((fd) => {
    const found = fstatSync(fd);
    return found.isCharacterDevice() && found.rdev !== nowhere;
  });
  // Loading node:tty takes a millisecond, which cron has no use for.
  if (devices.length === 0) return;
  const { isatty } = process.getBuiltinModule('node:tty');
  const terminals = devices.filter((fd) => isatty(fd));
  process.on('exit', () => {
    const lost = terminals.filter((fd) => !isatty(fd));
    for (const fd of lost) closeSync(fd);
    if (lost.length > 0 && process.exitCode) process.exitCode = ExitCode.hangup;
  });
}

/** They end a process by default, and none of them aborts `signal`. */
const ENDING_SIGNALS = ['SIGQUIT', 'SIGALRM', 'SIGUSR2', 'SIGVTALRM', 'SIGXCPU'] as const;

function guardTerminal({ leave, comeBack }: TerminalOwner): TerminalGuard {
  const end = (signal: NodeJS.Signals) => {
    leave();
    release();
    process.kill(process.pid, signal);
  };
  const stop = () => {
    leave();
    // The signal takes its usual effect while nobody listens to it: the process stands still within `kill`.
    process.off('SIGTSTP', stop);
    process.kill(process.pid, 'SIGTSTP');
    process.on('SIGTSTP', stop);
    comeBack();
  };
  const release = () => {
    for (const signal of ENDING_SIGNALS) process.off(signal, end);
    process.off('SIGTSTP', stop).off('SIGCONT', comeBack);
  };
  for (const signal of ENDING_SIGNALS) process.on(signal, end);
  process.on('SIGTSTP', stop).on('SIGCONT', comeBack);
  return {
    raise(signal) {
      // There are no jobs on Windows, and no such signals.
      if (process.platform !== 'win32') process.kill(0, signal);
    },
    release,
  };
}

/** A look at the event loop tells nothing of a shorter while, milliseconds. */
const LOAD_MS = 100;
/** A loop that idles for less than a tenth of the time is at its limit. */
const BUSY_SHARE = 0.9;

function createLoadMeter(): () => boolean {
  let from = performance.eventLoopUtilization();
  let isBusy = false;
  return () => {
    const { idle, active, utilization } = performance.eventLoopUtilization(from);
    if (idle + active < LOAD_MS) return isBusy;
    isBusy = utilization > BUSY_SHARE;
    from = performance.eventLoopUtilization();
    return isBusy;
  };
}

/** The real world. Called once, by the launcher. */
export function processHost(): Host {
  letGoOfLostTerminals();
  // A name look-up cannot be cancelled, and node does not end before it has: with a name server that is silent, a run
  // that is over would hang for 10 s, here for 4 at most (resolv.conf(5)). An answer that takes 3 s still comes in time.
  process.env.RES_OPTIONS ??= 'timeout:2 attempts:2';
  // Certificates are checked whatever this says; node would warn on stderr that they are not.
  delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
  const env = { ...process.env };
  // Node's diagnostic reports list the environment.
  delete process.env.RISKCLI_API_KEY;
  // A stream that fails without a listener would end the process with a trace; writers learn of it by their callback.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  let stopping: ReturnType<typeof stopOnSignals> | undefined;
  let loadMeter: ReturnType<typeof createLoadMeter> | undefined;
  return {
    stdin: () => process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    env,
    platform: process.platform,
    nodeVersion: process.versions.node,
    pid: process.pid,
    isRunning,
    hostName: () => system().hostname(),
    temporaryFolder: () => system().tmpdir(),
    uid: process.getuid?.(),
    home: findHome(env),
    signal() {
      stopping ??= stopOnSignals();
      return stopping.signal;
    },
    stopWithin: (ms) => stopping?.stopWithin(ms),
    guardTerminal,
    now: Date.now,
    monotonic,
    sleep,
    random: Math.random,
    isBusy() {
      // Measuring loads node:perf_hooks, which takes 2 ms: only a list asks.
      loadMeter ??= createLoadMeter();
      return loadMeter();
    },
  };
}
