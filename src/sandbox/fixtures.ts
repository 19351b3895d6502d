/**
 * Recorded answers, one JSON document a line, found by their `wallet_address` and answered byte for byte. What
 * `riskcli profile --jsonl` writes is such a recording: its `_meta` is left out, rows without an answer are skipped.
 */
import { readFile } from 'node:fs/promises';
import { IoError } from '../errors.ts';
import { fileError } from '../files/file-error.ts';
import { quoted } from '../secrets/withhold.ts';

const SAVE_AGAIN = 'save them as UTF-8 text, and name that file';

/** Documents as they were spelled, by lower-case wallet address. */
export type Fixtures = ReadonlyMap<string, string>;

/**
 * Reads the fixtures in the file `path`.
 * @throws IoError when it cannot be read, is no UTF-8 or holds something else.
 */
export async function readFixtures(path: string): Promise<Fixtures> {
  try {
    return parseFixtures(new TextDecoder('utf-8', { fatal: true }).decode(await readFile(path)));
  } catch (cause) {
    if (cause instanceof IoError) throw cause;
    if (cause instanceof TypeError)
      throw new IoError(`the fixtures ${quoted(path)} are not UTF-8`, { hint: SAVE_AGAIN });
    throw fileError(`the fixtures ${quoted(path)} cannot be read`, { cause, hint: 'check --fixtures' });
  }
}

/**
 * Reads the text of a fixtures file; if two documents are for one wallet, the later one counts.
 * @throws IoError naming the line that is not a document with a `wallet_address`.
 */
export function parseFixtures(text: string): Fixtures {
  const fixtures = new Map<string, string>();
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const document = withoutMeta(line.trim());
    const { wallet_address: wallet, ...rest } = parseObject(document) ?? {};
    const keys = Object.keys(rest);
    if (typeof wallet === 'string' && keys.length > 0) fixtures.set(wallet.toLowerCase(), document);
    else if (typeof wallet !== 'string' && keys.join() !== '_meta') throw notADocument(index + 1);
  }
  return fixtures;
}

function notADocument(line: number): IoError {
  return new IoError(`line ${line} of the fixtures is not a JSON object with a wallet_address`, {
    hint: 'put one recorded answer on each line',
  });
}

function withoutMeta(line: string): string {
  const start = line.lastIndexOf(',"_meta":');
  const document = `${line.slice(0, start)}}`;
  return start > 0 && parseObject(document) ? document : line;
}

function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}
