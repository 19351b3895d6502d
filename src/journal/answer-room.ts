/**
 * Reserves room on the disk for the answers under way: each is paid for when it is requested, and must fit when it arrives. How
 * long answers are is learned from those that came; they may be 200 bytes or 5 MB.
 */
import type { AtomicHost } from '../files/atomic-file.ts';
import { Room } from '../files/records/room.ts';

export interface AnswerRoom {
  /** Notes the size of an answer, in bytes. */
  learn(bytes: number): void;
  /** Reserves room for `answers` more in a file of `size` bytes. @returns why there is none; undefined when there is, as far as is known */
  refusal(answers: number, size: number): Error | undefined;
  /** Calls `write`, which adds an answer of `bytes`; it may be called again. @throws what `write` throws when the disk is full */
  spend<T>(bytes: number, write: () => T): T;
  /** Frees room beyond that of the answers under way, for another file. @returns false when there was nothing to free */
  release(): boolean;
  close(): void;
}

/** The assumed size of an answer before the first one has come, in bytes: one of several, and one requested alone. */
const FIRST = 16 * 1024;
const FIRST_ALONE = 4 * 1024;
/** This many answers show how long the others are; fewer may be short by chance. */
const ENOUGH_ANSWERS = 30;

/**
 * For the file at `path`, and an output on the same disk, which grows by about as much. `growth`: how many bytes answers of a
 * given size add to the file. No room is taken yet.
 */
export function createAnswerRoom(path: string, host: AtomicHost, growth = (bytes: number) => bytes): AnswerRoom {
  const room = new Room(path, host);
  let [count, longest, underWay] = [0, 0, 0];
  /** Assumes that each is as long as the longest so far: with the mean, a few very long answers would be lost. */
  function sizeOf(answers: number): number {
    if (count === 0) return answers === 1 ? FIRST_ALONE : answers * FIRST;
    // If a single one under way does not fit, no other is lost.
    if (answers === 1 || count >= ENOUGH_ANSWERS) return answers * longest;
    return answers * Math.max(FIRST_ALONE, 2 * longest);
  }
  function learn(bytes: number): void {
    count += 1;
    longest = Math.max(longest, bytes);
  }
  return {
    learn,
    refusal(answers, size) {
      underWay = answers;
      const bytes = growth(sizeOf(answers));
      return room.refusal(bytes, size, answers === 1 ? 0 : bytes);
    },
    spend(bytes, write) {
      learn(bytes);
      underWay = Math.max(0, underWay - 1);
      return room.spend(growth(bytes), write);
    },
    release: () => room.release(growth(sizeOf(underWay))),
    close: () => room.close(),
  };
}
