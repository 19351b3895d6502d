/**
 * Answers whose rows have not come yet, as they were parsed: in most lists the turn of a row comes soon after its answer, and
 * reading it back from the store would parse it anew. Memory is bounded; what finds no room here is in the store.
 */
import type { ObjectNode } from '../document/node.ts';

export interface RecentAnswer {
  readonly document: ObjectNode;
  /** Milliseconds since 1970. */
  readonly answeredAt: number;
  /** The document as it came. */
  readonly text: string;
}

export interface RecentAnswers {
  /** Keeps `answer` of wallet `id` if there is room. */
  keep(id: string, answer: RecentAnswer): void;
  /** Hands it out, once. */
  take(id: string): RecentAnswer | undefined;
}

/** Characters of text; a parsed document takes a few times as much. */
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
