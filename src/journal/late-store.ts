/** The answers of a run that has lost the lock of its journal: files of their own, which the next run takes in. */
import { IoError } from '../errors.ts';
import type { AnswerRoom } from './answer-room.ts';
import type { AnswerStore, StoredAnswer } from './answer-store.ts';
import { encodeRecord, type Settled } from './record.ts';

/** Others take late answers in no more often than this while one of them is written. */
const TRIES = 100;

export type LateAnswers = ReturnType<typeof createLateAnswers>;

/** The answers that come when the lock is lost: in a file of their own, or in the next one when that was taken in. */
export function createLateAnswers(name: string, createLate: (() => AnswerStore) | undefined, room: AnswerRoom) {
  const files: AnswerStore[] = [];
  let fault: unknown;
  const holding = (id: string) => files.find((file) => file.has(id));
  function write(id: string, settled: Settled): void {
    for (let attempt = 0; createLate && attempt < TRIES; attempt++) {
      const last = files.at(-1);
      const file = last?.isKept ? last : createLate();
      if (file !== last) files.push(file);
      file.append(id, settled);
      if (file.isKept) return;
    }
    throw new IoError(`an answer that came when ${name} was taken over cannot be kept`, {
      hint: 'find out what removes the files beside it, then run the same command again',
      isResumable: true,
    });
  }
  return {
    get size() {
      return files.reduce((sum, { size }) => sum + size, 0);
    },
    has: (id: string) => holding(id) !== undefined,
    get(id: string): StoredAnswer | undefined {
      const found = holding(id)?.get(id);
      // It was answered in this run.
      return found && { ...found, number: Number.POSITIVE_INFINITY };
    },
    append(id: string, settled: Settled): void {
      try {
        room.spend(encodeRecord(id, settled).length, () => write(id, settled));
      } catch (error) {
        fault ??= error;
        throw error;
      }
    },
    async sync() {
      await files.at(-1)?.sync();
      if (fault) throw fault;
    },
    close() {
      for (const file of files) file.close();
    },
  };
}
