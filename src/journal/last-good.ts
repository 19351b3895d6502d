/**
 * What was known of each wallet at a moment, as far as it can be compared with: the newest answer by then that has a score. A
 * refusal or an answer without one that came after it does not take its place. Places are in memory, answers stay in the journal.
 */
import { fstatSync } from 'node:fs';
import type { ObjectNode, ScalarNode } from '../document/node.ts';
import { parseDocument } from '../document/parse.ts';
import { closeQuietly } from '../files/close-file.ts';
import { shownPath } from '../files/file-error.ts';
import { createBlockReader } from '../files/records/block-reader.ts';
import { type JournalFile, openJournalFile } from './journal-file.ts';
import { eachRecord } from './journal-records.ts';
import { createLocations } from './locations.ts';
import { decodeRecord, isAbout, readHead } from './record.ts';
import type { WalletIndex } from './wallet-index.ts';

export interface GoodAnswer {
  /** Milliseconds since 1970. */
  readonly answeredAt: number;
  readonly document: ObjectNode;
  readonly score: ScalarNode;
  /** Whether it was what the wallet had then: nothing worse had come after it. */
  readonly isCurrent: boolean;
}

export interface LastGood {
  /** Wallets of which there was an answer by then. */
  readonly size: number;
  /** As of JournalHeader. */
  readonly prunedUntil: number | undefined;
  /** Whether there was an answer of the wallet by then, whatever it said. */
  has(id: string): boolean;
  /**
   * Undefined where there was no answer with a score.
   * @param now what the wallet has now, which is about it: where nothing changed it need not be read once more
   */
  find(id: string, now?: ObjectNode): GoodAnswer | undefined;
  /** The first `count` answers in the order of the wallets, each as `find` has it; fewer where they are long. */
  first(count: number): Iterable<GoodAnswer>;
  close(): void;
}

interface LastGoodOptions extends JournalFile {
  /** Wallets as numbers, of whom others may know something, too. */
  readonly index?: WalletIndex;
  /** Milliseconds since 1970; answers of later count for nothing. */
  readonly asOf: number;
  /** The score of an answer; undefined where it has none. */
  readonly scoreOf: (document: ObjectNode) => ScalarNode | undefined;
}

/** An answer may be megabytes. */
const MAX_FIRST_BYTES = 4 * 1024 * 1024;

/** Reads the journal as `asOf`. Only for the holder of its lock. @throws IoError; the signal's reason. */
export async function openLastGood({ asOf, scoreOf, index, ...file }: LastGoodOptions): Promise<LastGood> {
  const fd = openJournalFile(file);
  const locations = createLocations(index);
  /** By the number of the wallet: whether something worse came after the answer at its place. */
  let isReplaced = new Uint8Array(1_024);
  let prunedUntil: number | undefined;
  function mark(number: number, replaced: 0 | 1): void {
    while (number >= isReplaced.length) isReplaced = enlarged(isReplaced);
    isReplaced[number] = replaced;
  }
  try {
    await eachRecord(fd, {
      ...file,
      onHeader(header) {
        prunedUntil = header.prunedUntil;
      },
      onRecord({ head, bytes, location }) {
        if (head.answeredAt > asOf) return;
        const known = locations.find(head.id);
        if (head.isRefusal) return known && mark(known.number, 1);
        // The first answer of a wallet has nothing to take the place of: whether it has a score is looked at when it is asked for.
        if (known && !scoreOf(documentIn(bytes, head.contentAt))) return mark(known.number, 1);
        locations.set(head.id, location);
        if (known) mark(known.number, 0);
      },
    });
  } catch (error) {
    closeQuietly(fd);
    throw error;
  }
  const size = fstatSync(fd).size;
  const read = createBlockReader({ fd, name: `the journal ${shownPath(file.path)}` });
  function answerAt(number: number, id?: string, now?: ObjectNode): GoodAnswer | undefined {
    const location = locations.at(number);
    const line = location && read(location, size);
    const wallet = id ?? (line && readHead(line)?.id);
    const settled = line && wallet !== undefined ? decodeRecord(line, wallet) : undefined;
    if (wallet === undefined || !settled || !('text' in settled)) return undefined;
    const isSame = now !== undefined && now.spelling === settled.text;
    const document = isSame ? now : parseDocument(settled.text);
    if (document.kind !== 'object' || (!isSame && !isAbout(document, wallet))) return undefined;
    const score = scoreOf(document);
    return score && { answeredAt: settled.answeredAt, document, score, isCurrent: isReplaced[number] !== 1 };
  }
  return {
    size: locations.size,
    prunedUntil,
    has: locations.has,
    find(id, now) {
      const number = locations.find(id)?.number;
      return number === undefined ? undefined : answerAt(number, id, now);
    },
    *first(count) {
      let bytes = 0;
      let found = 0;
      for (let number = 0; found < Math.min(count, locations.size) && bytes < MAX_FIRST_BYTES; number++) {
        const length = locations.at(number)?.length ?? 0;
        if (length === 0) continue;
        [found, bytes] = [found + 1, bytes + length];
        const answer = answerAt(number);
        if (answer) yield answer;
      }
    },
    close: () => closeQuietly(fd),
  };
}

function documentIn(line: Buffer, contentAt: number): ObjectNode {
  const document = parseDocument(line.toString('utf8', contentAt, line.length - 1));
  if (document.kind !== 'object') throw new TypeError('a stored answer is not an object');
  return document;
}

function enlarged(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(2 * bytes.length);
  larger.set(bytes);
  return larger;
}
