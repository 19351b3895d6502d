/**
 * Bytes to text, strictly: a byte that is not UTF-8 would be replaced by others, and a number or a key with it. And what is wrong
 * with bytes or a text that are no JSON document.
 */

/**
 * The text is no JSON document. The message never quotes the text. `offset` is where it stopped making sense (UTF-16
 * units of the text; bytes when it is not UTF-8): its length exactly when it broke off, so that more could have saved it.
 */
export class DocumentSyntaxError extends Error {
  readonly offset: number;
  constructor(problem: string, offset: number) {
    super(`${problem} at offset ${offset}`);
    this.name = 'DocumentSyntaxError';
    this.offset = offset;
  }
}

/**
 * `bytes` as text, without a leading byte order mark.
 * @throws DocumentSyntaxError when they are not UTF-8.
 */
export function decodeUtf8(bytes: Uint8Array): string {
  try {
    return STRICT.decode(bytes);
  } catch {
    throw new DocumentSyntaxError('invalid UTF-8', validLength(bytes));
  }
}

/** One for all, since it keeps nothing between two calls: making one takes longer than decoding a usual answer. */
const STRICT = new TextDecoder('utf-8', { fatal: true });

/** How many bytes come before the sequence that is not UTF-8: the longest prefix that a streaming decoder accepts. */
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
