/** Stores the answers of a run that has lost the lock of its journal, in files that the next run takes in. */
import { IoError } from '../errors.ts';
import type { AnswerRoom } from './answer-room.ts';
import type { AnswerStore, StoredAnswer } from './answer-store.ts';
import { encodeRecord, type Settled } from './record.ts';

/** How often an answer is written again when its file is taken in meanwhile. */
const TRIES = 100;

/** The answers after the lock was lost: in a new file, or in the next one when that was taken in. */
export class LateAnswers {
  private readonly files: AnswerStore[] = [];
  private fault: unknown;

  /** @param name of the journal, in messages */
  constructor(
    private readonly name: string,
    private readonly createFile: (() => AnswerStore) | undefined,
    private readonly room: AnswerRoom,
  ) {}

  get size(): number {
    return this.files.reduce((sum, { size }) => sum + size, 0);
  }

  has(id: string): boolean {
    return this.holding(id) !== undefined;
  }

  get(id: string): StoredAnswer | undefined {
    const found = this.holding(id)?.get(id);
    // Answered in this run, so never below `known`.
    return found && { ...found, number: Number.POSITIVE_INFINITY };
  }

  append(id: string, settled: Settled): void {
    try {
      this.room.spend(encodeRecord(id, settled).length, () => this.write(id, settled));
    } catch (error) {
      this.fault ??= error;
      throw error;
    }
  }

  async sync(): Promise<void> {
    await this.files.at(-1)?.sync();
    if (this.fault) throw this.fault;
  }

  close(): void {
    for (const file of this.files) file.close();
  }

  private holding(id: string): AnswerStore | undefined {
    return this.files.find((file) => file.has(id));
  }

  private write(id: string, settled: Settled): void {
    const { files, createFile, name } = this;
    for (let attempt = 0; createFile && attempt < TRIES; attempt++) {
      const last = files.at(-1);
      const file = last?.isKept ? last : createFile();
      if (file !== last) files.push(file);
      file.append(id, settled);
      if (file.isKept) return;
    }
    throw new IoError(`an answer that came when ${name} was taken over cannot be kept`, {
      hint: 'find out what removes the files beside it, then run the same command again',
      isResumable: true,
    });
  }
}
