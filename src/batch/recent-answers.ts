/**
 * Keeps parsed answers until it is the turn of their rows. In most lists that is soon after the answer, and reading it back
 * from the store would parse it anew. Memory is bounded; an answer that finds no room here is read from the store.
 */
import type { ObjectNode } from '../document/node.ts';

export interface RecentAnswer {
  readonly document: ObjectNode;
  /** Milliseconds since 1970. */
  readonly answeredAt: number;
  /** The document as it was received. */
  readonly text: string;
}

export interface RecentAnswers {
  /** Keeps `answer` of wallet `id` if there is room. */
  keep(id: string, answer: RecentAnswer): void;
  /** Hands out the answer of wallet `id`, once. */
  take(id: string): RecentAnswer | undefined;
}

/** The most characters of text that are kept; a parsed document takes a few times as much memory. */
const MOST_LENGTH = 1024 * 1024;

export function createRecentAnswers(most = MOST_LENGTH): RecentAnswers {
  const answers = new Map<string, RecentAnswer>();
  let length = 0;
  return {
    keep(id, answer) {
      if (length + answer.text.length > most) return;
      answers.set(id, answer);
      length += answer.text.length;
    },
    take(id) {
      const answer = answers.get(id);
      if (!answer) return undefined;
      answers.delete(id);
      length -= answer.text.length;
      return answer;
    },
  };
}
