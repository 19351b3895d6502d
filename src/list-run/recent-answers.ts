/**
 * Keeps parsed answers until their rows are written, usually soon after: reading them back from the store would parse them
 * again. Memory is bounded; an answer for which there is no room is read from the store.
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
  // Slots are emptied, since a Map that grows leaves its old tables to the garbage collector, and their entries would survive
  // collections of the young generation: nearly half of all documents.
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
