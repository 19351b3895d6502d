/**
 * The outside world as a command may use it: streams, environment, clock, randomness, signals. It
 * has nothing else, so a test replaces the world by passing another context. The real one is made
 * in `host`.
 */

/** Time and chance. Durations are milliseconds everywhere. */
export interface Clock {
  /** Wall clock, milliseconds since 1970. For what is shown or stored, never for measuring. */
  readonly now: () => number;
  /** Monotonic clock in milliseconds, unaffected by a stepped system clock. */
  readonly monotonic: () => number;
  /**
   * Resolves after `ms`, or rejects with the signal's reason. Safe for waits beyond 2^31 - 1 ms.
   */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** Uniform in [0, 1). */
  readonly random: () => number;
}

export interface InputStream extends NodeJS.ReadableStream {
  readonly isTTY?: boolean;
  setRawMode?(mode: boolean): unknown;
  destroy?(): unknown;
  ref?(): unknown;
  unref?(): unknown;
}

export interface OutputStream extends NodeJS.WritableStream {
  readonly isTTY?: boolean;
  /** Terminal width; 0 and undefined count as 80. */
  readonly columns?: number;
  /** Terminal height; unknown when 0 or undefined. */
  readonly rows?: number;
}

/** The service that a run is about, as far as it is known. */
export interface ReportContext {
  readonly environment?: string;
  /** The base URL of the service, as it may be shown. */
  readonly url?: string;
}

/** Prints messages on stderr; text of others is escaped here. */
export interface Reporter {
  /** Something that the user must know; printed even with -q. */
  warn(text: string): void;
  /** Something worth knowing; -q silences it. */
  info(text: string): void;
  /** Confirms a success to a person: a note where stderr is a terminal, else nothing. */
  hint(text: string): void;
  /** The one line of a failure; printed even with -q. */
  error(error: unknown): void;
  /** A line for -v only. */
  verbose(text: string): void;
  /** Keeps `secret` out of every line from now on. */
  redact(secret: string): void;
  /** Remembers the service and the environment, which errors in JSON name. */
  setContext(facts: ReportContext): void;
  /** Calls `prepare` before each line: it clears the progress line. */
  onBeforeWrite(prepare: () => void): void;
  readonly isVerbose: boolean;
  /** Whether the headers of answers are shown, too. */
  readonly showsHeaders: boolean;
  readonly isQuiet: boolean;
  /** Whether each line is a JSON object. */
  readonly isJson: boolean;
}

export type Environment = Readonly<Record<string, string | undefined>>;

export interface Host extends Clock {
  /** Opened when it is first called: a command that reads nothing never opens it. */
  readonly stdin: () => InputStream;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  readonly env: Environment;
  readonly platform: NodeJS.Platform;
  readonly pid: number;
  /** Whether a process with the number `pid` exists. */
  readonly isRunning: (pid: number) => boolean;
  /** The host name of this machine. */
  readonly hostName: () => string;
  /** The folder of temporary files. */
  readonly temporaryFolder: () => string;
  /** The user that the process runs as; undefined on Windows. */
  readonly uid?: number;
  /**
   * The user's home folder; undefined without a passwd entry, or when HOME is empty or relative.
   */
  readonly home: string | undefined;
  /**
   * Aborts with a SignalError on SIGINT, SIGTERM or SIGHUP. Until it is called for the first time,
   * these signals end the process at once, as they do by default.
   */
  readonly signal: () => AbortSignal;
  /**
   * Lets the orderly stop after a signal take `ms` from now, instead of less than a second from the
   * signal, since paid requests are under way.
   */
  readonly stopWithin: (ms: number) => void;
  /**
   * Calls `action` right before a second signal, or a stop that takes too long, ends the process.
   */
  readonly beforeEnd: (action: () => void) => void;
  /**
   * Runs a program without a shell, and reads what it prints; `words` are its name and its
   * arguments. Its stderr is ours. Rejects with the system's error when it cannot be run, and with
   * the reason of the signal.
   */
  readonly runProgram: (words: readonly string[], options: ProgramOptions) => Promise<ProgramEnd>;
  /**
   * Shows `text` on the terminal through `command`, a shell command such as that of PAGER, until
   * the user leaves it. False when the command cannot be run, so that nothing was shown.
   */
  readonly page: (text: string, command: string) => Promise<boolean>;
}

export interface ProgramOptions {
  /**
   * Whether it may ask the user: it then keeps the terminal, and standard input if that is a
   * terminal.
   */
  readonly mayAsk: boolean;
  /** Time limit of the program, milliseconds: then it gets a SIGTERM. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** How many bytes of its output are kept. */
  readonly maxBytes: number;
}

export interface ProgramEnd {
  readonly output: string;
  readonly exitCode: number | null;
  readonly killedBy: string | null;
  readonly timedOut: boolean;
}

/**
 * The argument that main passes to a command: the host and a reporter that fits the flags typed.
 */
export interface Context extends Host {
  readonly report: Reporter;
}
