/** What has happened in a simulated history, for those who judge and print it. Nothing here comes from `src`. */

/** A request as the service knows it, and what its sender got of the answer. Times are milliseconds since 1970, true ones. */
export interface SentRequest {
  readonly run: string;
  /** In lower case. */
  readonly wallet: string;
  readonly sentAt: number;
  /** When it got to the service; undefined when it never did (refused connection, name not found). */
  arrivedAt: number | undefined;
  /** What the service answered; undefined when nothing was. */
  status: number | undefined;
  /** The whole body of the answer. */
  body: string | undefined;
  /** Why what its sender gets is not what the service answered: `reset`, `cut`, `garbled`, `other wallet`, ... */
  fault: string | undefined;
  /** When the last byte of the answer had got to the sending process while it lived and had not given up. */
  deliveredAt: number | undefined;
  /** When its sender gave up. */
  abandonedAt: number | undefined;
}

/** How a process ended: by itself, by a signal it obeyed at once, by a kill or power cut; `stuck` had nothing left to wait for. */
export type HowEnded = 'exit' | 'signal' | 'kill' | 'power' | 'stuck' | 'running';

export interface RunRecord {
  readonly name: string;
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly startedAt: number;
  endedAt: number | undefined;
  how: HowEnded;
  /** With `signal`: 128 and the signal's number. */
  exitCode: number | undefined;
  stdout: string;
  stderr: string;
  /** Signals that were sent to it, in order. */
  readonly signals: { readonly at: number; readonly signal: string }[];
  /** For how long it was halted or suspended in all, milliseconds. */
  haltedMs: number;
  /** Calls to the disk that failed because of a fault of the disk (ENOSPC, EIO). */
  diskFaults: number;
  /** The files its argv names. */
  readonly list: string | undefined;
  readonly output: string | undefined;
  /** What its list said when it began, unpacked. */
  readonly listText?: string | undefined;
  readonly journal: string | undefined;
  /** The last run of all, or one of the last: in peace. */
  readonly isPeaceful: boolean;
  /** What was in `output` when it began, and when it ended by itself. */
  readonly before?: Buffer | undefined;
  written?: Buffer | undefined;
  /** The same of further outputs. */
  readonly others?: readonly OutputFile[];
  /** The pid namespace. */
  readonly space: string;
  /** After so many characters the reader of its standard output was gone. */
  readonly readerTakes: number | undefined;
}

/** A file that -o names. */
export interface OutputFile {
  readonly path: string;
  readonly before: Buffer | undefined;
  /** Not known after a power cut. */
  written: Buffer | undefined;
}

/** What was done besides by people and by the world. */
export interface Incident {
  readonly at: number;
  readonly kind: string;
  readonly detail?: string;
}

/** An answer of the service in peace. */
export interface Truth {
  readonly status: number;
  readonly body: string;
}

export interface History {
  readonly seed: number;
  /** What the machine's clock showed too much in the beginning; `clock back` and `clock ahead` among the incidents change that. */
  readonly clock: number;
  readonly runs: readonly RunRecord[];
  readonly requests: readonly SentRequest[];
  readonly incidents: readonly Incident[];
  /** What was on the disk right after each power cut. */
  readonly cuts?: readonly { readonly at: number; readonly files: ReadonlyMap<string, Buffer> }[];
  /** Contents of the files of people, by path, as they were written: the lists. */
  readonly lists: ReadonlyMap<string, string | Buffer>;
  /** All regular files in the end. */
  readonly files: ReadonlyMap<string, Buffer>;
  /** The service's answer for a wallet in peace: what a right row says. Undefined: not a wallet the service knows (404). */
  readonly truth: (wallet: string) => Truth;
  /** Where answers change in the course of time: all that were true up to a moment, milliseconds since 1970. */
  readonly truths?: (wallet: string, until: number) => readonly Truth[];
  /** The rate limit of the key, requests a second, and how many in a burst. */
  readonly limit: {
    readonly rate: number;
    readonly burst: number;
    readonly kind: string;
    /** What headers tell of it: `all`, `limit`, `none`, `stale`. */
    readonly headers?: string;
  };
  /** Of the month, as the service counts it; undefined: unlimited. */
  readonly quota: number | undefined;
  /** Violations that the play itself has seen: a hang, an unhandled rejection. */
  readonly seen: readonly Violation[];
}

export interface Violation {
  /** A short name for the kind of violation, for counting and shrinking: it must not hold numbers or names. */
  readonly rule: string;
  readonly detail: string;
}
