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
const MAX_ANSWER_LENGTH = 1024 * 1024;

export function createRecentAnswers(most = MAX_ANSWER_LENGTH): RecentAnswers {
  // A slot is emptied when its answer is handed out. A Map leaves its old table behind each time it makes a new one, and what is in
  // tables that have become garbage keeps each other out of reach of the young generation's collection: nearly half of all documents.
  const slots = new Map<string, { answer: RecentAnswer | undefined }>();
  let length = 0;
  return {
    keep(id, answer) {
      if (length + answer.text.length > most) return;
      slots.set(id, { answer });
      length += answer.text.length;
    },
    take(id) {
      const slot = slots.get(id);
      if (!slot?.answer) return undefined;
      const { answer } = slot;
      slot.answer = undefined;
      slots.delete(id);
      length -= answer.text.length;
      return answer;
    },
  };
}
