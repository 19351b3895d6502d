/** Building blocks of a page: sections, tables, scrolling regions, and elements that filter the rows. */
import type { Filter } from '../page-data.ts';
import { type Attributes, type Child, type Element, h, type Markup } from './markup.ts';

export function section(id: string, title: string, ...children: readonly Child[]): Element {
  return h('section', { id, 'aria-labelledby': `${id}-title` }, h('h2', { id: `${id}-title` }, title), ...children);
}

/** A region that scrolls horizontally by itself; focusable, so that the keyboard can scroll it. */
export const scrolling = (label: string, kind: string | undefined, ...content: readonly Child[]): Element =>
  h('div', { class: kind ? `scroll ${kind}` : 'scroll', role: 'region', 'aria-label': label, tabindex: 0 }, content);

export const table = (attributes: Attributes, heads: Child, rows: readonly Child[]): Element =>
  h('table', attributes, h('thead', {}, h('tr', {}, heads)), tableBody(rows));

export function tableBody(rows: readonly Child[]): Element {
  const lines = rows.map((cells) => h('tr', {}, cells));
  return h('tbody', {}, lines);
}

/**
 * A table whose rows become blocks of names and values on a narrow page. Its roles are explicit because CSS that changes the display
 * of a table also hides it from screen readers.
 * @param lines the heading and the numbers of each row
 */
export function numbersTable(
  heads: readonly [string, ...string[]],
  lines: readonly { readonly head: Child; readonly numbers: readonly Child[] }[],
): Element {
  const names = heads.map((text, i) =>
    h('th', { scope: 'col', role: 'columnheader', class: i > 0 ? 'number' : undefined }, text),
  );
  const rows = lines.map(({ head, numbers }) =>
    h(
      'tr',
      { role: 'row' },
      h('th', { scope: 'row', role: 'rowheader' }, head),
      numbers.map((content, i) => h('td', { role: 'cell', class: 'number', 'data-title': heads[i + 1] }, content)),
    ),
  );
  return h(
    'table',
    { class: 'stack', role: 'table' },
    h('thead', { role: 'rowgroup' }, h('tr', { role: 'row' }, names)),
    h('tbody', { role: 'rowgroup' }, rows),
  );
}

export const columnHead = (text: string, isNumber = false): Element =>
  h('th', { scope: 'col', class: isNumber ? 'number' : undefined }, text);
export const rowHead = (...content: readonly Child[]): Element => h('th', { scope: 'row' }, content);
export const numberCell = (content: Markup): Element => h('td', { class: 'number' }, content);

/** Adds `filter` and returns its number, by which elements refer to it. */
export const addFilter = (filter: Filter, filters: Filter[]): number => filters.push(filter) - 1;

export const choice = (content: Markup, filter: Filter, filters: Filter[]): Element =>
  h('span', { class: 'choice', 'data-filter': addFilter(filter, filters) }, content);
