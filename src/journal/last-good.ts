/**
 * The last good answer of each wallet at a time, for a comparison: the newest one that has a score. A later refusal, or a later
 * answer without a score, does not replace it. Locations are in memory, answers stay in the journal.
 */
import type { ObjectNode, ScalarNode } from '../document/node.ts';
import { parseDocument } from '../document/parse.ts';
import { closeQuietly } from '../files/close-file.ts';
import { shownPath } from '../files/file-error.ts';
import { createBlockReader, type ReadRecord } from '../files/records/block-reader.ts';
import { type JournalFile, openJournalFile } from './journal-file.ts';
import { eachRecord } from './journal-records.ts';
import { createLocations, type NumberedLocation, NumberList, type RecordLocations } from './locations.ts';
import { decodeRecord, isAbout, readHead } from './record.ts';
import type { WalletIndex } from './wallet-index.ts';

export interface GoodAnswer {
  /** Milliseconds since 1970. */
  readonly answeredAt: number;
  readonly document: ObjectNode;
  readonly score: ScalarNode;
  /** Whether it was the wallet's newest record then: nothing worse came after it. */
  readonly isCurrent: boolean;
}

interface LastGoodOptions extends JournalFile {
  /** Numbers of wallets, shared with others. */
  readonly index?: WalletIndex;
  /** Milliseconds since 1970; later answers do not count. */
  readonly asOf: number;
  /** The score of an answer, or undefined. */
  readonly scoreOf: (document: ObjectNode) => ScalarNode | undefined;
}

/** A limit for `first`, since an answer may be megabytes. */
const MAX_FIRST_BYTES = 4 * 1024 * 1024;

/** Where the journal has the newest answers by a time, by the number of their wallet. */
interface Answers {
  readonly locations: RecordLocations;
  /** 1 if something worse came after the answer. */
  readonly isReplaced: NumberList;
  /** As in JournalHeader. */
  readonly prunedUntil: number | undefined;
  /** Bytes up to the end of the last record. */
  readonly end: number;
}

/** Reads the journal as it was at `asOf`. Only for the holder of its lock. @throws IoError; the signal's reason */
export async function openLastGood(options: LastGoodOptions): Promise<LastGood> {
  const fd = openJournalFile(options);
  try {
    return new LastGood(fd, await findAnswers(fd, options), options);
  } catch (error) {
    closeQuietly(fd);
    throw error;
  }
}

async function findAnswers(fd: number, { asOf, scoreOf, index, ...file }: LastGoodOptions): Promise<Answers> {
  const locations = createLocations(index);
  const isReplaced = new NumberList(Uint8Array);
  let prunedUntil: number | undefined;
  const hasScore = (line: Buffer, contentAt: number) => {
    const document = parseDocument(line.toString('utf8', contentAt, line.length - 1));
    return document.kind === 'object' && scoreOf(document) !== undefined;
  };
  const end = await eachRecord(fd, {
    ...file,
    onHeader(header) {
      prunedUntil = header.prunedUntil;
    },
    onRecord({ head, bytes, location }) {
      if (head.answeredAt > asOf) return;
      const known = locations.find(head.id);
      // The first answer of a wallet is always kept: `find` checks whether it has a score.
      const isWorse = head.isRefusal || (known && !hasScore(bytes, head.contentAt));
      if (!isWorse) locations.set(head.id, location);
      if (known) isReplaced.set(known.number, isWorse ? 1 : 0);
    },
  });
  return { locations, isReplaced, prunedUntil, end };
}

export class LastGood {
  private readonly read: ReadRecord;

  constructor(
    private readonly fd: number,
    private readonly answers: Answers,
    private readonly options: Pick<LastGoodOptions, 'path' | 'scoreOf'>,
  ) {
    this.read = createBlockReader({ fd, name: `the journal ${shownPath(options.path)}` });
  }

  /** How many wallets had an answer by then. */
  get size(): number {
    return this.answers.locations.size;
  }

  get prunedUntil(): number | undefined {
    return this.answers.prunedUntil;
  }

  /** Whether the wallet had an answer by then, with or without a score. */
  has(id: string): boolean {
    return this.answers.locations.has(id);
  }

  /**
   * The last good answer of wallet `id`; undefined when it had none.
   * @param now the wallet's present answer: if it is the same, it need not be parsed again
   */
  find(id: string, now?: ObjectNode): GoodAnswer | undefined {
    const location = this.answers.locations.find(id);
    return location && this.answerAt(location, id, now);
  }

  /** The first `count` answers in the order of the wallets, as `find` returns them; fewer if they are long. */
  *first(count: number): Iterable<GoodAnswer> {
    const { locations } = this.answers;
    let bytes = 0;
    let found = 0;
    for (let number = 0; found < Math.min(count, this.size) && bytes < MAX_FIRST_BYTES; number++) {
      const location = locations.at(number);
      if (!location) continue;
      [found, bytes] = [found + 1, bytes + location.length];
      const answer = this.answerAt(location);
      if (answer) yield answer;
    }
  }

  close(): void {
    closeQuietly(this.fd);
  }

  private answerAt(location: NumberedLocation, id?: string, now?: ObjectNode): GoodAnswer | undefined {
    const line = this.read(location, this.answers.end);
    const wallet = id ?? readHead(line)?.id ?? '';
    const settled = decodeRecord(line, wallet);
    if (!settled || !('text' in settled)) return undefined;
    const isSame = now !== undefined && now.spelling === settled.text;
    const document = isSame ? now : parseDocument(settled.text);
    if (document.kind !== 'object' || (!isSame && !isAbout(document, wallet))) return undefined;
    const score = this.options.scoreOf(document);
    const isCurrent = this.answers.isReplaced.at(location.number) === 0;
    return score && { answeredAt: settled.answeredAt, document, score, isCurrent };
  }
}
