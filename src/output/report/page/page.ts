/**
 * A report as one HTML file. It loads nothing, and its Content-Security-Policy allows only its own script, which searches, sorts,
 * filters and opens cards. Figures, charts and the first rows work without the script.
 */
import { createHash } from 'node:crypto';
import type { Figures } from '../figures/collect.ts';
import type { Filter, PageData } from '../page-data.ts';
import type { Report } from '../report.ts';
import { pageBody } from './body.ts';
import { packCards } from './cards.ts';
import { h, htmlOf, type Markup, scriptJson } from './markup.ts';

/** The files of browser/, in one piece each: whatever makes a program of the sources puts them in. */
declare const RISKCLI_PAGE_SCRIPT: string;
declare const RISKCLI_PAGE_STYLE: string;

/** Characters of all cards together, so that a page stays below 20 MB, a common limit for mail. */
const CARD_ROOM = 12_000_000;

export function* pagePieces(report: Report): Generator<string> {
  const { origin, figures, kept } = report;
  const { locations, parts } = packCards(
    kept.map(({ card }) => card),
    CARD_ROOM,
  );
  const rows = kept.map(({ row }, i) => ({ ...row, ...(locations[i] && { card: locations[i] }) }));
  const rules = figures.rules.map(({ name }) => name);
  const filters: Filter[] = [];
  const level = levelIn(figures);
  const shown: PageData = { filters, rules, label: figures.label, level, rows, parts: [] };
  const body = pageBody(report, shown, filters);
  yield `<!doctype html>\n<html lang="en">\n<head>\n`;
  for (const element of head(origin.title)) yield `${htmlOf(element)}\n`;
  yield `<style>${RISKCLI_PAGE_STYLE}</style>\n</head>\n<body>\n`;
  for (const part of body) yield `${htmlOf(part)}\n`;
  yield* dataPieces(shown, parts);
  yield `<script>${RISKCLI_PAGE_SCRIPT}</script>\n</body>\n</html>\n`;
}

/** The field shown next to the score in the table. */
function levelIn({ level, shares }: Figures): PageData['level'] {
  const share = level === undefined ? undefined : shares[level];
  if (level === undefined || !share) return undefined;
  const title = String(share.path.at(-1) ?? '').replaceAll('_', ' ');
  return { title, field: level, values: share.values.map(({ text }) => text) };
}

function head(title: string): readonly Markup[] {
  return [
    h('meta', { charset: 'utf-8' }),
    h('meta', { 'http-equiv': 'Content-Security-Policy', content: policy() }),
    h('meta', { name: 'viewport', content: 'width=device-width, initial-scale=1' }),
    h('meta', { name: 'color-scheme', content: 'light dark' }),
    h('meta', { name: 'referrer', content: 'no-referrer' }),
    h('meta', { name: 'robots', content: 'noindex' }),
    h('title', {}, title),
  ];
}

/** Allows only this script and this style, by hash. */
function policy(): string {
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
