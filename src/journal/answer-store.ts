/** Answers by wallet, either in a journal or in a temporary file: the rest of the program does not know which. */
import type { Settled } from './record.ts';

export type StoredAnswer = Settled & {
  /** The wallet's number in this store, from 0; if below `known`, it was answered before this run. */
  readonly number: number;
};

export interface AnswerStore {
  /** How many wallets have an answer or a refusal. */
  readonly size: number;
  /** How many of them there were when the store was opened. */
  readonly known: number;
  /** Whether the answers outlive the process: not if the journal was removed or replaced meanwhile. */
  readonly isKept: boolean;
  /** To be called before each request, and before rows replace a file. @throws LockedError when another run may write here */
  checkLock(): void;
  has(id: string): boolean;
  /** @throws IoError when the file cannot be read, or has something else in place of the wallet's record */
  get(id: string): StoredAnswer | undefined;
  /**
   * Hands the answer to the system, so that a kill afterwards loses nothing; it is on the disk within about a second.
   * @throws LockedError as checkLock does, and nothing is written; IoError when the file cannot be written; it then ends with the record before. Also when an earlier record could
   * not be synced.
   */
  append(id: string, settled: Settled): void;
  /** Resolves when all answers are on the disk. @throws IoError when they cannot be kept */
  sync(): Promise<void>;
  /** Closes the store; removes a new file to which nothing was added. Never throws; may be called twice. */
  close(): void;
  /** Closes the store and deletes its file, since nothing is left to request; not a file that replaced it. @throws IoError */
  remove(): Promise<void>;
}
