/**
 * How much room the answers under way need: each is paid for when it is sent, and must fit when it lands. How long answers are
 * is learned from those that came; they may be 200 bytes or 5 MB.
 */
export interface AnswerSizes {
  /** An answer of so many bytes has come. */
  learn(bytes: number): void;
  /** What so many answers may need together, in bytes. */
  of(answers: number): number;
}

/** What an answer is taken to need before the first one is there, in bytes: of several, and of one that is asked for alone. */
const FIRST = 16 * 1024;
const FIRST_ALONE = 4 * 1024;
/** So many answers say how long the others are; fewer may all have been short by chance. */
const ENOUGH_ANSWERS = 30;

/** Each is taken to be as long as the longest: a mean would lose answers where a few are many times as long as the others. */
export function createAnswerSizes(): AnswerSizes {
  let [count, longest] = [0, 0];
  return {
    learn(bytes) {
      count += 1;
      longest = Math.max(longest, bytes);
    },
    of(answers) {
      if (count === 0) return answers === 1 ? FIRST_ALONE : answers * FIRST;
      // Where the only one under way does not fit, no other is lost.
      if (answers === 1 || count >= ENOUGH_ANSWERS) return answers * longest;
      return answers * Math.max(FIRST_ALONE, 2 * longest);
    },
  };
}
