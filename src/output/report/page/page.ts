/**
 * A report as one HTML file. It loads nothing, and its Content-Security-Policy allows only its own
 * script, which searches, sorts, filters and opens cards. Figures, charts and the first rows work
 * without the script.
 */
import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { PageData } from '../page-data.ts';
import type { Report } from '../report.ts';
import { pageBody } from './body.ts';
import { h, htmlOf, type Markup, scriptJson } from './markup.ts';

/**
 * The files of browser/, in one piece each: whatever makes a program of the sources puts them in.
 */
declare const RISKCLI_PAGE_SCRIPT: string;
declare const RISKCLI_PAGE_STYLE: string;

/** Characters of all packed cards, so that a page stays below 20 MB, a common limit for mail. */
const MAX_PACKED_CARDS = 12_000_000;

export function* pagePieces(report: Report): Generator<string> {
  const { origin, figures, listed, label } = report;
  const { locations, parts } = packCards(listed.map(({ card }) => card));
  const rows = listed.map(({ row }, i) => ({ ...row, ...(locations[i] && { card: locations[i] }) }));
  const data: PageData = { rows, label, level: figures.texts[0]?.name, parts: [] };
  yield `<!doctype html>\n<html lang="en">\n<head>\n`;
  for (const element of head(origin.title)) yield `${htmlOf(element)}\n`;
  yield `<style>${RISKCLI_PAGE_STYLE}</style>\n</head>\n<body>\n`;
  for (const part of pageBody(report, data)) yield `${htmlOf(part)}\n`;
  yield* dataPieces(data, parts);
  yield `<script>${RISKCLI_PAGE_SCRIPT}</script>\n</body>\n</html>\n`;
}

/** Rows per part: enough for gzip to compress well, few enough to decompress quickly. */
const PART_ROWS = 100;
const PART_LENGTH = 512 * 1024;

/**
 * Compresses the cards, one a line, until there is no more room: uncompressed they would be most of
 * the page. They are split into parts, so that reading one does not decompress all.
 */
function packCards(cards: readonly (string | undefined)[]) {
  const locations: (readonly [part: number, index: number] | undefined)[] = [];
  const parts: string[] = [];
  let open: string[] = [];
  let [length, packed] = [0, 0];
  const close = () => {
    const part = gzipSync(open.join('\n')).toString('base64');
    packed += part.length;
    parts.push(part);
    open = [];
    length = 0;
  };
  for (const card of cards) {
    const hasRoom = card !== undefined && packed < MAX_PACKED_CARDS;
    locations.push(hasRoom ? [parts.length, open.length] : undefined);
    if (!hasRoom) continue;
    open.push(card);
    length += card.length;
    if (open.length === PART_ROWS || length >= PART_LENGTH) close();
  }
  if (open.length > 0) close();
  return { locations, parts };
}

function head(title: string): readonly Markup[] {
  return [
    h('meta', { charset: 'utf-8' }),
    h('meta', { 'http-equiv': 'Content-Security-Policy', content: contentPolicy() }),
    h('meta', { name: 'viewport', content: 'width=device-width, initial-scale=1' }),
    h('meta', { name: 'color-scheme', content: 'light dark' }),
    h('meta', { name: 'referrer', content: 'no-referrer' }),
    h('meta', { name: 'robots', content: 'noindex' }),
    h('title', {}, title),
  ];
}

/** Allows only this script and this style, by hash. */
function contentPolicy(): string {
  const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  return [
    "default-src 'none'",
    `script-src ${hash(RISKCLI_PAGE_SCRIPT)}`,
    `style-src ${hash(RISKCLI_PAGE_STYLE)}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
}

/** The data. Most of it is packed cards, which are never joined into one string. */
function* dataPieces(data: PageData, parts: readonly string[]): Generator<string> {
  const text = scriptJson({ ...data, parts: [] });
  yield `<script type="application/json" id="data">${text.slice(0, -'[]}'.length)}[`;
  for (const [i, part] of parts.entries()) yield `${i === 0 ? '' : ','}"${part}"`;
  yield ']}</script>\n';
}
