/** A journal as the rows of its newest answers, as riskcli journal export would write them. */

import type { Host } from '../context.ts';
import { parseDocument } from '../document/parse.ts';
import { closeQuietly } from '../files/close-file.ts';
import { shownPath } from '../files/file-error.ts';
import { openTemporaryFile } from '../files/temporary-file.ts';
import { type Newest, prunedWords, readNewest } from '../journal/history.ts';
import { openJournalFile } from '../journal/journal-file.ts';
import { isAbout } from '../journal/record.ts';
import type { Batches } from '../lists/rows.ts';
import { classify, type Row } from '../row/row.ts';
import { walletOf } from '../row/row-columns.ts';
import { counted, verbFor } from '../text/words.ts';
import { type ResultRow, resultOf } from './result.ts';
import { notRiskcliOutput, type ResultSource, walletIn } from './row-values.ts';

/** A journal with a path must be a file that can be trusted; one from a pipe, or packed, is copied first. */
export type JournalSource =
  | { readonly path: string }
  | { readonly bytes: AsyncIterable<Uint8Array>; readonly name: string };

interface JournalReading {
  readonly host: Pick<Host, 'signal' | 'uid' | 'temporaryFolder'>;
  readonly reading: ResultSource;
  readonly onDamage: (text: string) => void;
  readonly asOf?: number | undefined;
}

/** Rows in a batch, and UTF-16 units of their answers: an answer may be megabytes. */
const BATCH = 100;
const BATCH_LENGTH = 1024 * 1024;

/** @throws IoError when it cannot be trusted or read, or there is no room for a copy */
export async function openJournalResults(
  source: JournalSource,
  { host, reading, onDamage, asOf }: JournalReading,
): Promise<{ readonly batches: Batches<ResultRow>; readonly close: () => void }> {
  const signal = host.signal();
  const { fd, close } =
    'path' in source
      ? opened(openJournalFile({ ...source, uid: host.uid, isArgument: true }))
      : await copied(source.bytes, host);
  try {
    const path = 'path' in source ? source.path : source.name;
    const { answers, damagedLines, hasHeader, isTorn, ...newest } = await readNewest(fd, {
      path,
      asOf,
      signal,
      isArgument: true,
      ...('path' in source && { uid: host.uid }),
    });
    if (!hasHeader) throw notRiskcliOutput('it ends within its first line', reading);
    if (isTorn) onDamage(`the last answer of the journal ${shownPath(path)} is incomplete and left out`);
    if (damagedLines > 0) {
      onDamage(
        `${counted(damagedLines, 'damaged line')} of the journal ${shownPath(path)} ${verbFor(damagedLines, 'is')} left out`,
      );
    }
    const pruned = prunedWords(newest, { path, asOf });
    if (pruned !== undefined) onDamage(pruned);
    return { batches: batched(journalRows(answers, reading)), close };
  } catch (error) {
    close();
    throw error;
  }
}

async function copied(bytes: AsyncIterable<Uint8Array>, host: JournalReading['host']) {
  const file = openTemporaryFile(host);
  let size = 0;
  try {
    for await (const chunk of bytes) {
      file.write(chunk, size);
      size += chunk.length;
    }
    return file;
  } catch (error) {
    file.close();
    throw error;
  }
}

/** Closes only once: another file may have the descriptor's number later. */
function opened(fd: number) {
  let isOpen = true;
  return {
    fd,
    close() {
      if (isOpen) closeQuietly(fd);
      isOpen = false;
    },
  };
}

async function* batched(rows: Iterable<ReadRow>): Batches<ResultRow> {
  let batch: ResultRow[] = [];
  let length = 0;
  for (const { row, answerLength } of rows) {
    batch.push(row);
    length += answerLength;
    if (batch.length < BATCH && length < BATCH_LENGTH) continue;
    yield batch;
    batch = [];
    length = 0;
  }
  yield batch;
}

interface ReadRow {
  readonly row: ResultRow;
  /** UTF-16 units of its answer. */
  readonly answerLength: number;
}

/** @throws ListError for an answer that is about another wallet than its record says. */
function* journalRows(answers: Newest['answers'], reading: ResultSource): Generator<ReadRow> {
  let line = 0;
  for (const { id, settled } of answers) {
    line += 1;
    if ('refusal' in settled) continue;
    const document = parseDocument(settled.text);
    if (document.kind !== 'object' || !isAbout(document, id)) {
      throw notRiskcliOutput(`its answer for ${id} is about another wallet`, { name: reading.name });
    }
    const answeredAt = new Date(settled.answeredAt).toISOString();
    const row: Row = { line, input: id, wallet: id, document, answeredAt, ...classify(document, reading.scorePath) };
    const wallet = walletIn(walletOf(row));
    yield { row: { ...resultOf(row), wallet }, answerLength: settled.text.length };
  }
}
