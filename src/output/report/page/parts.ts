/** What the parts of a page are made of: sections, tables, what moves by itself, and what filters the rows on a click. */
import type { Filter } from '../page-data.ts';
import { type Attributes, type Child, type Element, h, type Markup } from './markup.ts';

export function section(id: string, title: string, ...children: readonly Child[]): Element {
  return h('section', { id, 'aria-labelledby': `${id}-title` }, h('h2', { id: `${id}-title` }, title), ...children);
}

/** What is wider than the page moves by itself, and by the keyboard too. */
export const scrolling = (label: string, kind: string | undefined, ...content: readonly Child[]): Element =>
  h('div', { class: kind ? `scroll ${kind}` : 'scroll', role: 'region', 'aria-label': label, tabindex: 0 }, content);

export const table = (attributes: Attributes, heads: Child, rows: readonly Child[]): Element =>
  h('table', attributes, h('thead', {}, h('tr', {}, heads)), tableBody(rows));

export function tableBody(rows: readonly Child[]): Element {
  const lines = rows.map((cells) => h('tr', {}, cells));
  return h('tbody', {}, lines);
}

export const columnHead = (text: string, isNumber = false): Element =>
  h('th', { scope: 'col', class: isNumber ? 'number' : undefined }, text);
export const rowHead = (...content: readonly Child[]): Element => h('th', { scope: 'row' }, content);
export const numberCell = (content: Markup): Element => h('td', { class: 'number' }, content);

/** The number of `filter` from now on: what is drawn refers to it, and the page's script applies it. */
export const addFilter = (filter: Filter, filters: Filter[]): number => filters.push(filter) - 1;

export const choice = (content: Markup, filter: Filter, filters: Filter[]): Element =>
  h('span', { class: 'choice', 'data-filter': addFilter(filter, filters) }, content);
