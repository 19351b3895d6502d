/**
 * Compresses whole rows for the cards of a page; uncompressed they would be most of its size. Rows are split into parts so that
 * reading one does not decompress all.
 */
import { gzipSync } from 'node:zlib';
import type { Card } from '../figures/page-rows.ts';

/** Rows per part: enough for gzip to compress well, few enough to decompress quickly. */
const PART_ROWS = 100;
const PART_BYTES = 512 * 1024;

export interface Cards {
  /** Location of each row's card; undefined if there was none, or no more room. */
  readonly locations: readonly (readonly [part: number, index: number] | undefined)[];
  /** Gzip in base64. */
  readonly parts: readonly string[];
}

/** Packs `cards`, one per line, until the parts have about `room` characters. */
export function packCards(cards: readonly (Card | undefined)[], room: number): Cards {
  const locations: (readonly [number, number] | undefined)[] = [];
  const parts: string[] = [];
  let open: Buffer[] = [];
  let [bytes, size] = [0, 0];
  const close = () => {
    if (open.length === 0) return;
    const part = gzipSync(Buffer.concat(open.flatMap((text) => [text, LINE_END]))).toString('base64');
    size += part.length;
    parts.push(part);
    open = [];
    bytes = 0;
  };
  for (const card of cards) {
    const text = card && size < room ? Buffer.from(card()) : undefined;
    locations.push(text && [parts.length, open.length]);
    if (!text) continue;
    open.push(text);
    bytes += text.length;
    if (open.length === PART_ROWS || bytes >= PART_BYTES) close();
  }
  close();
  return { locations, parts };
}

const LINE_END = Buffer.from('\n');
