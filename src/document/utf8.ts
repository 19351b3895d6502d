/**
 * Decodes bytes strictly: replacing an invalid byte could change a number or a key. Also the error
 * for bytes or text that are not a JSON document.
 */

/**
 * The text is not a JSON document. The message never quotes the text. `offset` is where the error
 * is (UTF-16 units; bytes when it is not UTF-8): the length of the text if and only if it was cut
 * short.
 */
export class DocumentSyntaxError extends Error {
  constructor(
    readonly problem: string,
    readonly offset: number,
  ) {
    super(`${problem} at offset ${offset}`);
    this.name = 'DocumentSyntaxError';
  }
}

/**
 * `bytes` as text, without a leading byte order mark.
 * @throws DocumentSyntaxError when they are not UTF-8.
 */
export function decodeUtf8(bytes: Uint8Array): string {
  try {
    return STRICT_DECODER.decode(bytes);
  } catch {
    throw new DocumentSyntaxError('invalid UTF-8', validLength(bytes));
  }
}

/**
 * Shared, since it has no state between calls: making one takes longer than decoding a usual
 * answer.
 */
const STRICT_DECODER = new TextDecoder('utf-8', { fatal: true });

/**
 * How many bytes come before the sequence that is not UTF-8: the longest prefix that a streaming
 * decoder accepts.
 */
function validLength(bytes: Uint8Array): number {
  let valid = 0;
  let invalid = bytes.length + 1;
  while (invalid - valid > 1) {
    const middle = (valid + invalid) >>> 1;
    if (beginsValid(bytes.subarray(0, middle))) valid = middle;
    else invalid = middle;
  }
  return valid;
}

function beginsValid(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}
