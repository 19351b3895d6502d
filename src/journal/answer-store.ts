/** What the service said, by wallet. The rest of the program does not know whether it is in a journal or gone with the process. */
import type { IoError } from '../errors.ts';
import type { Settled } from './record.ts';

export type StoredAnswer = Settled & {
  /** The wallet's number in this store, from 0; below `known` it was answered before this run. */
  readonly number: number;
};

export interface AnswerStore {
  /** Wallets that need not be asked. */
  readonly size: number;
  /** How many of them there were when the store was opened. */
  readonly known: number;
  /** Whether the answers outlive the process: a journal that was removed or replaced meanwhile keeps nothing. */
  readonly isKept: boolean;
  /** Aborts with a LockedError when the file is another run's by now: nothing more may be asked. */
  readonly lost?: AbortSignal | undefined;
  /** To be called before each request. @throws LockedError when the file is another run's by now. */
  checkLock(): void;
  has(id: string): boolean;
  /** @throws IoError when the file cannot be read, or holds something else there than the wallet's record. */
  get(id: string): StoredAnswer | undefined;
  /**
   * The answer is with the system when this returns, so that a kill after that loses nothing; it is on the disk within about
   * a second.
   * @throws IoError when the file cannot take it; the file then ends with the record before. Also when an earlier record
   * did not get to the disk. What comes when the file is another run's by now goes to one beside it.
   */
  append(id: string, settled: Settled): void;
  /** Keeps room for so many answers under way. @returns why they could not all be kept; undefined when they can be */
  refusal(answers: number): IoError | undefined;
  /** Lets go of room that the answers under way do not need, for another file on the disk. @returns whether there was any */
  releaseRoom(): boolean;
  /** Resolves when all answers are on the disk. @throws IoError when they cannot be kept. */
  sync(): Promise<void>;
  /** Removes a file that was made for nothing. Never throws; closing what is closed does nothing. */
  close(): void;
  /** Closes the store and deletes its file: nothing is left to ask. What another put in its place stays. @throws IoError */
  remove(): Promise<void>;
}
