/**
 * One line of a journal: a JSON object that any JSON Lines reader understands. The checksum comes first and covers the bytes
 * after it; the document comes last, spelled as the service spelled it.
 *
 *     {"crc":"1c291ca3","wallet":"0x...","answered_at":"2025-01-31T12:00:00.000Z","document":{...}}
 *     {"crc":"7d14dddd","wallet":"0x...","answered_at":"2025-01-31T12:00:01.000Z","refused":{"code":"refused",...}}
 */
import { crc32 as checksum } from 'node:zlib';
import type { ObjectNode } from '../document/node.ts';
import { memberOf } from '../document/path.ts';
import type { RowError } from '../row/row.ts';

/** A final result for a wallet: an answer or a refusal. */
export type Settled = Answered | Refused;

export interface Answered {
  /** Milliseconds since 1970. */
  readonly answeredAt: number;
  /** The document as received, valid JSON. */
  readonly text: string;
}

export interface Refused {
  /** Milliseconds since 1970. */
  readonly answeredAt: number;
  readonly refusal: RowError;
}

export interface RecordHead {
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly answeredAt: number;
  /** The service refused this wallet. */
  readonly isRefusal: boolean;
  /** Where the document or the refusal begins in the line, in bytes. */
  readonly contentAt: number;
}

const CRC_AT = '{"crc":"'.length;
const CRC_END = '{"crc":"12345678",'.length;
const WALLET_AT = '{"crc":"12345678","wallet":"'.length;
const HEAD =
  /^\{"crc":"([0-9a-f]{8})","wallet":"(0x[0-9a-f]+|[0-9a-z_.-]{3,253})","answered_at":"([0-9TZ:.+-]{20,27})","(document|refused)":/;
/** Longer than any head: an id of 253 characters and the punctuation. */
const HEAD_MAX = 512;

/** A checksum as eight hex digits. */
export const checksumText = (crc: number) => crc.toString(16).padStart(8, '0');

/** The line of a record, with its newline. */
export function encodeRecord(id: string, settled: Settled): Buffer {
  const answeredAt = new Date(settled.answeredAt).toISOString();
  // In valid JSON newlines are only between tokens, so they can be replaced by spaces.
  const [kind, content] =
    'text' in settled
      ? ['document', settled.text.replace(/[\r\n]/g, ' ')]
      : ['refused', JSON.stringify(settled.refusal)];
  const head = `{"crc":"00000000","wallet":"${id}","answered_at":"${answeredAt}","${kind}":`;
  // Written in place, piece by piece: a document may be long, and each copy would cost as much again.
  const line = Buffer.allocUnsafe(head.length + Buffer.byteLength(content) + END.length);
  line.write(head, 'latin1');
  line.write(content, head.length);
  line.write(END, line.length - END.length, 'latin1');
  line.write(checksumText(checksum(line.subarray(CRC_END, -1))), CRC_AT, 'latin1');
  return line;
}

const END = '}\n';

/** The head of the record on `line` (without its newline); undefined when the line is damaged. */
export function readHead(line: Buffer): RecordHead | undefined {
  const [head = '', crc = '', id, answeredAt, content] = HEAD.exec(line.toString('latin1', 0, HEAD_MAX)) ?? [];
  if (id === undefined || answeredAt === undefined) return undefined;
  if (checksum(line.subarray(CRC_END)) !== Number.parseInt(crc, 16)) return undefined;
  return {
    // Not cut out of the text above, which would stay in memory with it.
    id: line.toString('latin1', WALLET_AT, WALLET_AT + id.length),
    answeredAt: Date.parse(answeredAt),
    isRefusal: content === 'refused',
    contentAt: head.length,
  };
}

/** The record of wallet `id` on `line` (without its newline); undefined when the line is damaged or of another wallet. */
export function decodeRecord(line: Buffer, id: string): Settled | undefined {
  const head = readHead(line);
  if (head?.id !== id) return undefined;
  const { answeredAt, isRefusal, contentAt } = head;
  const content = line.toString('utf8', contentAt, line.length - 1);
  return isRefusal ? { answeredAt, refusal: JSON.parse(content) as RowError } : { answeredAt, text: content };
}

/** Whether `document` is about wallet `id`: a record could name one wallet and its document another. */
export function isAbout(document: ObjectNode, id: string): boolean {
  // If a key is given twice, the last value counts, as when the answer was first checked.
  const address = memberOf(document, 'wallet_address');
  return address?.kind === 'string' && address.value.toLowerCase() === id.toLowerCase();
}
