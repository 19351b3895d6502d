/**
 * Reads a journal: what it holds in total, every answer of one wallet, the newest answer of each. Nothing here locks or changes
 * the file: a run may be adding to it, and a record that is not complete is ignored.
 */
import { readSync } from 'node:fs';
import { ListError } from '../errors.ts';
import { fileError, shownPath } from '../files/file-error.ts';
import type { RecordLocation } from '../files/records/block-reader.ts';
import { isoSeconds } from '../text/when.ts';
import { counted, verbFor } from '../text/words.ts';
import { type JournalFile, withJournal } from './journal-file.ts';
import { eachRecord, isTornAt } from './journal-records.ts';
import { createLocations, type RecordLocations } from './locations.ts';
import { decodeRecord, readHead, type Settled } from './record.ts';
import { WalletIndex } from './wallet-index.ts';

export interface Survey {
  /** The base URL of the answers; undefined for a file that ends before its header does. */
  readonly base: string | undefined;
  /** Wallets with an answer or a refusal. */
  readonly wallets: number;
  readonly answers: number;
  /** How often the service refused a wallet for good. */
  readonly refusals: number;
  /** Answers that are not the newest of their wallet. */
  readonly superseded: number;
  /** The time of the oldest record, milliseconds since 1970; undefined when there is none. */
  readonly oldest: number | undefined;
  readonly newest: number | undefined;
  /** The bytes of the whole lines. */
  readonly bytes: number;
  readonly damagedLines: number;
}

/** What the journal holds. @throws IoError when it does not exist, cannot be trusted or cannot be read; the signal's reason */
export function surveyJournal(file: JournalFile): Promise<Survey> {
  const [wallets, answered] = [new WalletIndex(), new WalletIndex()];
  let base: string | undefined;
  let [answers, refusals, damagedLines] = [0, 0, 0];
  let [oldest, newest] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  return withJournal(file, async (fd) => {
    const bytes = await eachRecord(fd, {
      ...file,
      onHeader(header) {
        base = header.base;
      },
      onRecord({ head }) {
        wallets.add(head.id);
        if (head.isRefusal) refusals += 1;
        else {
          answers += 1;
          answered.add(head.id);
        }
        oldest = Math.min(oldest, head.answeredAt);
        newest = Math.max(newest, head.answeredAt);
      },
      onDamage() {
        damagedLines += 1;
      },
    });
    const times = wallets.size > 0 ? { oldest, newest } : { oldest: undefined, newest: undefined };
    const superseded = answers - answered.size;
    return { base, wallets: wallets.size, answers, refusals, superseded, ...times, bytes, damagedLines };
  });
}

export interface WalletHistory {
  readonly damagedLines: number;
  /** How many answers there are. */
  readonly count: number;
  /** The service's answers for the wallet, oldest first; read again on each call, which must be inside `use`. */
  answers(): Generator<Settled>;
}

/** Calls `use` with the answers of wallet `id`. @throws as surveyJournal does */
export function withHistory<T>(id: string, file: JournalFile, use: (history: WalletHistory) => Promise<T>): Promise<T> {
  const sources: RecordLocation[] = [];
  let damagedLines = 0;
  return withJournal(file, async (fd) => {
    await eachRecord(fd, {
      ...file,
      onRecord({ head, location }) {
        if (head.id === id) sources.push(location);
      },
      onDamage() {
        damagedLines += 1;
      },
    });
    function* answers() {
      for (const { settled } of recordsAt(fd, file.path, sources)) yield settled;
    }
    return use({ damagedLines, count: sources.length, answers });
  });
}

export interface Newest {
  /** Wallets that have answers, but none at or before `asOf`. */
  readonly onlyLater: number;
  /** As in JournalHeader. */
  readonly prunedUntil?: number | undefined;
  /** Whether the header is complete. */
  readonly hasHeader: boolean;
  readonly damagedLines: number;
  /** Whether the last record is incomplete: it was cut short, or is being written. */
  readonly isTorn: boolean;
  /** The newest answer of each wallet, in the order in which the wallets first came; to be read inside `use`. */
  readonly answers: Generator<{ readonly id: string; readonly settled: Settled }>;
}

/** The time up to which answers count, milliseconds since 1970; undefined counts all. */
export interface AsOf {
  readonly asOf?: number | undefined;
}

/**
 * Calls `use` with the newest answer of each wallet. A refusal does not replace an answer.
 * @throws as readNewest does
 */
export function withNewest<T>(file: JournalFile & AsOf, use: (newest: Newest) => Promise<T>): Promise<T> {
  return withJournal(file, async (fd) => use(await readNewest(fd, file)));
}

/**
 * The newest answers of the journal that is open as `fd`, while it is open.
 * @throws ListError when there is no answer at or before `asOf`, and as surveyJournal does
 */
export async function readNewest(fd: number, { asOf, ...file }: JournalFile & AsOf): Promise<Newest> {
  const index = new WalletIndex();
  const locations = createLocations(index);
  let damagedLines = 0;
  let prunedUntil: number | undefined;
  let oldest = Number.POSITIVE_INFINITY;
  const end = await eachRecord(fd, {
    ...file,
    onHeader(header) {
      prunedUntil = header.prunedUntil;
    },
    onRecord({ head, location }) {
      if (head.isRefusal) return;
      oldest = Math.min(oldest, head.answeredAt);
      index.add(head.id);
      if (asOf !== undefined && head.answeredAt > asOf) return;
      locations.set(head.id, location);
    },
    onDamage() {
      damagedLines += 1;
    },
  });
  const onlyLater = index.size - locations.size;
  if (asOf !== undefined && locations.size === 0) {
    throw nothingThatOld(file.path, { asOf, oldest, prunedUntil, damagedLines });
  }
  const answers = recordsAt(fd, file.path, locationsOf(locations, index.size));
  return { onlyLater, prunedUntil, hasHeader: end > 0, damagedLines, isTorn: isTornAt(fd, end), answers };
}

/** @param missing `oldest`: the time of the oldest answer; infinite if there is none */
function nothingThatOld(
  path: string,
  missing: Pick<Newest, 'damagedLines' | 'prunedUntil'> & { readonly asOf: number; readonly oldest: number },
): ListError {
  const { asOf, oldest, prunedUntil, damagedLines } = missing;
  const has = Number.isFinite(oldest);
  const facts = [
    ...(has ? [`the oldest is from ${isoSeconds(oldest)}`] : []),
    ...(prunedUntil === undefined ? [] : ['older ones may have been pruned']),
    ...(damagedLines === 0 ? [] : [`${counted(damagedLines, 'damaged line')} ${verbFor(damagedLines, 'is')} left out`]),
  ].join(', and ');
  const message = `the journal ${shownPath(path)} has no answer from ${isoSeconds(asOf)} or before`;
  return new ListError(facts ? `${message}: ${facts}` : message, {
    code: 'no_answer',
    hint: has ? 'name a later time' : 'riskcli journal show says what it contains',
  });
}

/** A line about wallets that may be missing at `asOf`, since the journal was pruned; undefined when none can be. */
export function prunedWords(
  { onlyLater, prunedUntil }: Pick<Newest, 'onlyLater' | 'prunedUntil'>,
  { path, asOf }: AsOf & { readonly path: string },
): string | undefined {
  if (asOf === undefined || prunedUntil === undefined || asOf >= prunedUntil || onlyLater === 0) return undefined;
  return `the journal ${shownPath(path)} was pruned: ${counted(onlyLater, 'wallet')} that ${verbFor(onlyLater, 'has')} only newer answers than ${isoSeconds(asOf)} may have had one by then`;
}

function* locationsOf(locations: RecordLocations, wallets: number): Generator<RecordLocation> {
  for (let number = 0; number < wallets; number++) {
    const location = locations.at(number);
    if (location) yield location;
  }
}

function* recordsAt(fd: number, path: string, locations: Iterable<RecordLocation>): Newest['answers'] {
  for (const location of locations) {
    const line = readAt(fd, location);
    const head = line && readHead(line);
    const settled = head && decodeRecord(line, head.id);
    if (!head || !settled) {
      throw fileError(`the journal ${shownPath(path)} cannot be read`, {
        cause: new Error('something else has changed it meanwhile'),
        hint: 'find out what did that, then run the same command again',
        isResumable: true,
      });
    }
    yield { id: head.id, settled };
  }
}

function readAt(fd: number, { offset, length }: RecordLocation): Buffer | undefined {
  const line = Buffer.allocUnsafe(length);
  return readSync(fd, line, 0, length, offset) === length ? line : undefined;
}
