/**
 * Room on the disk for the answers under way: each is paid for when it is sent, and must fit when it lands. How long answers
 * are is learned from those that came; they may be 200 bytes or 5 MB.
 */
import type { AtomicHost } from '../files/atomic-file.ts';
import { Room } from '../files/records/room.ts';

export interface AnswerRoom {
  /** An answer of so many bytes has come. */
  learn(bytes: number): void;
  /** Keeps room for so many answers in a file of `size`. @returns why there is none; undefined when there is, as far as is known */
  refusal(answers: number, size: number): Error | undefined;
  /** Calls `write`, which adds an answer of so many bytes and can be called again. @throws what `write` throws at a full disk */
  spend<T>(bytes: number, write: () => T): T;
  /** Lets go of what the answers under way do not need, for another file on the disk. @returns whether there was any */
  release(): boolean;
  /** Lets all of it go. */
  close(): void;
}

/** What an answer is taken to need before the first one is there, in bytes: of several, and of one that is asked for alone. */
const FIRST = 16 * 1024;
const FIRST_ALONE = 4 * 1024;
/** So many answers say how long the others are; fewer may all have been short by chance. */
const ENOUGH_ANSWERS = 30;

/**
 * For the file at `path`, and the output that may grow beside it: what rows say is in the answers. `growth` is what answers
 * add to the file, bytes. No room is taken yet.
 */
export function createAnswerRoom(path: string, host: AtomicHost, growth = (bytes: number) => bytes): AnswerRoom {
  const room = new Room(path, host);
  let [count, longest, underWay] = [0, 0, 0];
  /** Each is taken to be as long as the longest: a mean would lose answers where a few are many times as long as the others. */
  function sizeOf(answers: number): number {
    if (count === 0) return answers === 1 ? FIRST_ALONE : answers * FIRST;
    // Where the only one under way does not fit, no other is lost.
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
