/** A list as it is read, however its bytes come. */
import type { ListRecord, ReadListOptions } from '../../../src/lists/list.ts';
import { openList } from '../../../src/lists/read-list.ts';

export const A = '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed';
export const B = '0xfb6916095ca1df60bb79ce92ce3ea74c37c5d359';
export const C = '0xdbf03b407c01e7cd3cbea99509d93f8dddc8c6fb';

type Options = Partial<ReadListOptions> & { readonly chunk?: number };

export async function* chunked(bytes: Uint8Array, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

export async function read(content: string | Uint8Array, { chunk = 1 << 16, ...options }: Options = {}) {
  const list = await openList(chunked(Buffer.from(content), chunk), {
    name: 'wallets.txt',
    checksum: true,
    ...options,
  });
  const records: ListRecord[] = [];
  for await (const batch of list.records) records.push(...batch);
  return { head: list.head, records };
}

const LETTERS: ReadonlyMap<string, string> = new Map([
  [A, 'A'],
  [B, 'B'],
  [C, 'C'],
]);

/** The line of each record with its wallet, A, B or C, or why it is none: `2 A, 3 B, 4 ens`. */
export const walletsOf = (records: readonly ListRecord[]): string =>
  records.map(({ line, wallet }) => `${line} ${wallet.ok ? LETTERS.get(wallet.id) : wallet.code}`).join(', ');

export const wallets = async (content: string | Uint8Array, options?: Options): Promise<string> =>
  walletsOf((await read(content, options)).records);
