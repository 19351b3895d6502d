/** Ten wallet lists as people have them. Their text is in test/unit/lists/data; encodings and line ends that editors hide are put on here. */
import { readFile } from 'node:fs/promises';

const crlf = (text: string) => text.replaceAll('\n', '\r\n');
const utf16le = (text: string) => Buffer.from(text, 'utf16le');

const LISTS = {
  'etherscan-holders.csv': Buffer.from,
  'dune-anchors.csv': Buffer.from,
  'sheet-semicolon.csv': (text: string) => Buffer.from(`\ufeff${crlf(text)}`),
  'excel-tabs.txt': (text: string) => utf16le(`\ufeff${crlf(text)}`),
  'notes.txt': (text: string) => utf16le(text).swap16(),
  'wallets.json': Buffer.from,
  'wallets.jsonl': Buffer.from,
  'quoted-newlines.csv': (text: string) => Buffer.from(crlf(text)),
  'safe-address-book.csv': Buffer.from,
  'numbered.csv': (text: string) => Buffer.from(text.replaceAll('\n', '\r')),
} satisfies Record<string, (text: string) => Buffer>;

export type MessyList = keyof typeof LISTS;

/** The bytes of a list. */
export async function messyList(file: MessyList): Promise<Buffer> {
  const text = await readFile(new URL(`../../unit/lists/data/${file}`, import.meta.url), 'utf8');
  return LISTS[file](text);
}
