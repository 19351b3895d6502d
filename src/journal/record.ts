/**
 * One line of a journal: a JSON object that any JSON Lines reader understands. The checksum comes
 * first and covers the bytes after it; the document comes last, spelled as the service spelled it.
 *
 *     {"crc":"1c291ca3","wallet":"0x...","answered_at":"2025-01-31T12:00:00.000Z","document":{...}}
 *     {"crc":"7d14dddd","wallet":"0x...","answered_at":"2025-01-31T12:00:01.000Z","refused":{"code":"refused",...}}
 */
import { crc32 as checksum } from 'node:zlib';
import type { ObjectNode } from '../document/node.ts';
import { UntrustedError } from '../errors.ts';
import type { RowError } from '../row/row.ts';
import { type ParsedDocument, readProfile } from '../service/contract.ts';
import { jsonMembers } from '../text/json.ts';
import { parseTime } from '../text/when.ts';

/** A final result for a wallet: an answer or a refusal. */
export type WalletResult = Answered | Refused;

export interface Answered {
  /** Milliseconds since 1970. */
  readonly answeredAt: number;
  /** The document as received, valid JSON. */
  readonly text: string;
  /** The same, if it was parsed already. */
  readonly document?: ObjectNode;
}

export interface Refused {
  /** Milliseconds since 1970. */
  readonly answeredAt: number;
  readonly refusal: RowError;
}

/** A record that was read back, and checked as the answer was when it came. */
export type JournalRecord = (Refused | (Answered & { readonly document: ObjectNode })) & {
  /** The wallet in lower case. */
  readonly id: string;
};

const CRC_AT = '{"crc":"'.length;
const CRC_END = '{"crc":"12345678",'.length;
const WALLET_AT = '{"crc":"12345678","wallet":"'.length;
const WALLET_END = WALLET_AT + '0x'.length + 40;
const RECORD_HEAD =
  /^\{"crc":"([0-9a-f]{8})","wallet":"0x[0-9a-f]{40}","answered_at":"([0-9TZ:.+-]{20,27})","(document|refused)":/;
/** Longer than any head. */
const MAX_HEAD_LENGTH = 256;

/** A checksum as eight hex digits. */
export const checksumText = (crc: number) => crc.toString(16).padStart(8, '0');

/** The line of a record, with its newline. */
export function encodeRecord(id: string, result: WalletResult): Buffer {
  const answeredAt = new Date(result.answeredAt).toISOString();
  // In valid JSON newlines are only between tokens, so they can be replaced by spaces.
  const [kind, content] =
    'text' in result ? ['document', result.text.replace(/[\r\n]/g, ' ')] : ['refused', JSON.stringify(result.refusal)];
  const head = `{"crc":"00000000","wallet":"${id}","answered_at":"${answeredAt}","${kind}":`;
  // Filled piece by piece: a document may be long, and each copy would cost as much again.
  const line = Buffer.allocUnsafe(head.length + Buffer.byteLength(content) + RECORD_END.length);
  line.write(head, 'latin1');
  line.write(content, head.length);
  line.write(RECORD_END, line.length - RECORD_END.length, 'latin1');
  line.write(checksumText(checksum(line.subarray(CRC_END, -1))), CRC_AT, 'latin1');
  return line;
}

const RECORD_END = '}\n';

/**
 * Reads the record on `line`, which has no newline. Undefined when the record is damaged, or when
 * no answer of the service could have produced it: a forger may have got the checksum right.
 */
export function decodeRecord(line: Buffer): JournalRecord | undefined {
  const [head = '', crc = '', time = '', kind] = RECORD_HEAD.exec(line.toString('latin1', 0, MAX_HEAD_LENGTH)) ?? [];
  if (checksum(line.subarray(CRC_END)) !== Number.parseInt(crc, 16)) return undefined;
  const answeredAt = parseTime(time);
  if (kind === undefined || answeredAt === undefined || !line.subarray(-1).equals(CLOSE)) return undefined;
  // The id is decoded anew: a slice of the head's text would keep all of that in memory.
  const id = line.toString('latin1', WALLET_AT, WALLET_END);
  const content = line.subarray(head.length, -1);
  if (kind === 'refused') {
    const refusal = readRefusal(String(content));
    return refusal && { id, answeredAt, refusal };
  }
  const profile = readAnswer(content, id);
  return profile && { id, answeredAt, ...profile };
}

const CLOSE = Buffer.from('}');

/**
 * Whether `text` can be the answer for wallet `id`, by the contract. A store reads nothing else
 * back.
 */
export const isAnswerFor = (text: string, id: string): boolean => readAnswer(Buffer.from(text), id) !== undefined;

function readAnswer(body: Buffer, id: string): ParsedDocument | undefined {
  try {
    return readProfile({ body, hasKnownLength: true }, id);
  } catch (error) {
    if (error instanceof UntrustedError) return undefined;
    throw error;
  }
}

function readRefusal(text: string): RowError | undefined {
  const { code, message, httpStatus } = jsonMembers(text);
  if (typeof code !== 'string' || typeof message !== 'string') return undefined;
  if (httpStatus === undefined) return { code, message };
  return typeof httpStatus === 'number' ? { code, message, httpStatus } : undefined;
}
