/**
 * A wallet list out of whatever file people have: lines, CSV, a JSON array or JSON Lines. Looks at the beginning to tell
 * which it is, then reads on as fast as the records are taken, with no more in memory than a block of the file.
 */
import { findWallet } from '../wallet/find.ts';
import { withhold } from '../wallet/secret.ts';
import type { ListOptions, ListRecord, WalletList } from './list.ts';
import { readAhead } from './read-ahead.ts';
import { chooseDelimiter, hasHeader } from './read-columns.ts';
import { parseCsv, unterminated } from './read-csv.ts';
import { openCsv } from './read-csv-list.ts';
import { onLine, toListError } from './read-damage.ts';
import { readJsonArray, readJsonLines } from './read-json.ts';
import { openJson } from './read-json-list.ts';
import { isSkipped, type Line, readLines } from './read-lines.ts';
import { type Batches, dropWhile, filter, map, type Rows, SAMPLE_LENGTH, sample } from './read-rows.ts';
import { readText } from './read-text.ts';

/**
 * Reads the wallet list that `source` spells. 64 hex digits are withheld from all that is carried along.
 * The source is closed when the records have been read or left; whoever gets them has to begin to read them.
 * @throws ListError when it is empty or its column of wallets is unclear; the records throw it where they cannot be read.
 */
export async function openList(source: AsyncIterable<Uint8Array>, options: ListOptions): Promise<WalletList> {
  const iterator = source[Symbol.asyncIterator]();
  try {
    const { bom, blocks } = await readText({ [Symbol.asyncIterator]: () => iterator });
    const { taken, all } = await readAhead(blocks, (texts) => {
      const text = texts.join('');
      return text.length > SAMPLE_LENGTH || beginning(text).length === 3;
    });
    // In markdown a line may begin with [0x...] or with [ ] as well.
    const isArray = /^\[(["{[]|\]$)/.test(beginning(taken.join('')));
    const { head, batches } = isArray
      ? await openJson({ kind: 'json', elements: readJsonArray(all) }, options)
      : await openLines(
          dropWhile(readLines(all), ({ text }) => isSkipped(text)),
          options,
        );
    return { head: { delimiter: ',', bom, ...head }, records: flatten(batches, options.name) };
  } catch (error) {
    await iterator.return?.();
    throw toListError(error, options.name);
  }
}

/** Up to three characters that are not white space. */
const beginning = (text: string) => text.replace(/\s+/g, '').slice(0, 3);

async function openLines(lines: Batches<Line>, options: ListOptions): Promise<Rows> {
  const { rows, all } = await sample(lines, ({ text }) => (isSkipped(text) ? undefined : text.length));
  if (/^\s*\{/.test(rows[0]?.text ?? '')) return openJson({ kind: 'jsonl', elements: readJsonLines(all) }, options);
  const delimiter = chooseDelimiter(rows, options);
  const title = parseCsv(rows.slice(0, 1), ',');
  if (delimiter !== undefined || options.column !== undefined || hasHeader(title, options)) {
    return openCsv({ lines: all, delimiter: delimiter ?? ',' }, options);
  }
  const records = filter(all, ({ text }) => !isSkipped(text));
  return { head: { kind: 'lines' }, batches: map(records, (line) => lineRecord(line, options)) };
}

function lineRecord({ line, text }: Line, options: ListOptions): ListRecord {
  const trimmed = text.trim();
  if (trimmed.startsWith('"') && trimmed.indexOf('"', 1) < 0) throw onLine(unterminated(), line);
  return { line, input: withhold(trimmed, options.format), wallet: findWallet(trimmed, options) };
}

async function* flatten(batches: Batches<ListRecord>, name: string): AsyncGenerator<ListRecord> {
  try {
    for await (const batch of batches) yield* batch;
  } catch (error) {
    throw toListError(error, name);
  }
}
