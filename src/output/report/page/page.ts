/**
 * A report as one HTML file. It loads nothing, and its Content-Security-Policy allows only its own
 * script, which searches, sorts, filters and opens cards. Figures, charts and the first rows work
 * without the script.
 */
import { createHash } from 'node:crypto';
import type { PageData } from '../page-data.ts';
import type { Report } from '../report.ts';
import { pageBody } from './body.ts';
import { h, htmlOf, type Markup, scriptJson } from './markup.ts';

/**
 * The files of browser/, in one piece each: whatever makes a program of the sources puts them in.
 */
declare const RISKCLI_PAGE_SCRIPT: string;
declare const RISKCLI_PAGE_STYLE: string;

export function* pagePieces(report: Report): Generator<string> {
  const { origin, figures, listed, label, isReview } = report;
  const data: PageData = { rows: listed, label, level: figures.texts[0]?.name, isReview };
  yield `<!doctype html>\n<html lang="en">\n<head>\n`;
  for (const element of head(origin.title)) yield `${htmlOf(element)}\n`;
  yield `<style>${RISKCLI_PAGE_STYLE}</style>\n</head>\n<body>\n`;
  for (const part of pageBody(report, data)) yield `${htmlOf(part)}\n`;
  yield `<script type="application/json" id="data">${scriptJson(data)}</script>\n`;
  yield `<script>${RISKCLI_PAGE_SCRIPT}</script>\n</body>\n</html>\n`;
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
