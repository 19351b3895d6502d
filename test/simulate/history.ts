/**
 * What has happened in a simulated history, for those who judge and print it. Nothing here comes
 * from `src`.
 */

/**
 * A request as the service knows it, and what its sender got of the answer. Times are milliseconds
 * since 1970, true ones.
 */
export interface SentRequest {
  readonly run: string;
  /** In lower case. */
  readonly wallet: string;
  readonly sentAt: number;
  /**
   * When it reached the service; undefined if it never did (refused connection, name not found).
   */
  arrivedAt: number | undefined;
  /** The answer of the service; undefined if there was none. */
  status: number | undefined;
  /** The whole body of the answer. */
  body: string | undefined;
  /**
   * Why its sender does not get the answer of the service: `reset`, `cut`, `garbled`, `other
   * wallet`, ...
   */
  fault: string | undefined;
  /**
   * When the last byte of the answer arrived, if the sending process was alive and had not given
   * up.
   */
  deliveredAt: number | undefined;
  /** When its sender gave up. */
  abandonedAt: number | undefined;
}

/**
 * How a process ended: by itself, by a signal it obeyed at once, by a kill or power cut; `stuck`
 * had nothing left to wait for.
 */
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
  /** Total time it was halted or suspended, milliseconds. */
  haltedMs: number;
  /** Calls that failed because of a fault of the disk (ENOSPC, EIO). */
  diskFaults: number;
  /** The files its argv names. */
  readonly list: string | undefined;
  readonly output: string | undefined;
  /** Content of its list when it started, uncompressed. */
  readonly listText?: string | undefined;
  readonly journal: string | undefined;
  /** Whether it is one of the last runs, without faults. */
  readonly isPeaceful: boolean;
  /** Content of `output` when it started, and when it ended by itself. */
  readonly before?: Buffer | undefined;
  written?: Buffer | undefined;
  /** The pid namespace. */
  readonly space: string;
  /** Number of characters after which the reader of its standard output left. */
  readonly readerTakes: number | undefined;
}

/** What was done besides by people and by the world. */
export interface Incident {
  readonly at: number;
  readonly kind: string;
  readonly detail?: string;
}

/** An answer of the service without faults. */
export interface Truth {
  readonly status: number;
  readonly body: string;
}

export interface History {
  readonly seed: number;
  /**
   * Initial error of the machine's clock; the incidents `clock back` and `clock ahead` change it.
   */
  readonly clock: number;
  readonly runs: readonly RunRecord[];
  readonly requests: readonly SentRequest[];
  readonly incidents: readonly Incident[];
  /** Content of the disk after each power cut. */
  readonly cuts?: readonly { readonly at: number; readonly files: ReadonlyMap<string, Buffer> }[];
  /** Contents of the users' files, by path: the lists. */
  readonly lists: ReadonlyMap<string, string | Buffer>;
  /** All regular files at the end. */
  readonly files: ReadonlyMap<string, Buffer>;
  /**
   * The service's answer for a wallet without faults: the correct row. Undefined: unknown to the
   * service (404).
   */
  readonly truth: (wallet: string) => Truth;
  /** If answers change over time: all that were true up to a moment, milliseconds since 1970. */
  readonly truths?: (wallet: string, until: number) => readonly Truth[];
  /** The rate limit of the key, requests a second, and how many in a burst. */
  readonly limit: {
    readonly rate: number;
    readonly burst: number;
    readonly kind: string;
    /** Which headers name it: `all`, `limit`, `none`, `stale`. */
    readonly headers?: string;
  };
  /** Monthly quota of the service; undefined: unlimited. */
  readonly quota: number | undefined;
  /** Violations found during the simulation: a hang, an unhandled rejection. */
  readonly seen: readonly Violation[];
}

export interface Violation {
  /**
   * A short name for the kind of violation, for counting and shrinking, without numbers or names.
   */
  readonly rule: string;
  readonly detail: string;
}
