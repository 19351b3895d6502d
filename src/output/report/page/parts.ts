/** Building blocks of a page: sections, tables, and elements that filter the rows. */
import { groupDigits } from '../../../text/words.ts';
import type { Filter } from '../page-data.ts';
import { type Attributes, type Child, type Element, h } from './markup.ts';

/** `text` with a capital letter. */
export const sentence = (text: string): string => `${text[0]?.toUpperCase()}${text.slice(1)}`;

export function pageSection(id: string, title: string, ...children: readonly Child[]): Element {
  return h('section', { id, 'aria-labelledby': `${id}-title` }, h('h2', { id: `${id}-title` }, title), ...children);
}

/** More rows scroll in a box of their own, so that what follows stays within reach. */
const MAX_ROWS_OPEN = 50;

interface ScrollingTable {
  readonly columns: readonly PageColumn[];
  readonly rows: readonly TableRow[];
  readonly class?: string;
}

/**
 * A table that scrolls sideways where it is too wide; focusable, so that the keyboard can scroll
 * it.
 */
export function scrolling(label: string, { columns, rows, ...attributes }: ScrollingTable): Element {
  const kind = rows.length > MAX_ROWS_OPEN ? 'scroll long' : 'scroll';
  return h('div', { class: kind, role: 'region', 'aria-label': label, tabindex: 0 }, table(attributes, columns, rows));
}

export interface PageColumn {
  readonly title: string;
  /** The name by which the script knows the column. */
  readonly key?: string;
  /** The classes of its cells: `number`, `minor` for one that a narrow page hides. */
  readonly kind?: string | undefined;
  /** Whether its cells are the headings of their rows; by default the first column's are. */
  readonly isHead?: boolean;
}

export interface TableRow {
  readonly cells: readonly Child[];
  /** The index of the page's row that it shows: a click opens its card. */
  readonly number?: number | undefined;
}

/**
 * A table whose rows become blocks of names and values on a narrow page. Its roles are explicit
 * because CSS that changes the display of a table also hides it from screen readers.
 */
export function table(attributes: Attributes, columns: readonly PageColumn[], rows: readonly TableRow[]): Element {
  const heads = columns.map(({ title, key, kind }) =>
    h('th', { scope: 'col', role: 'columnheader', 'data-key': key, class: kind }, title),
  );
  const lines = rows.map((row) => tableRow(columns, row));
  return h(
    'table',
    { role: 'table', ...attributes },
    h('thead', { role: 'rowgroup' }, h('tr', { role: 'row' }, heads)),
    h('tbody', { role: 'rowgroup' }, lines),
  );
}

export function tableRow(columns: readonly PageColumn[], { cells, number }: TableRow): Element {
  const head = Math.max(
    0,
    columns.findIndex(({ isHead }) => isHead),
  );
  const shown = columns.map(({ title, key, kind }, i) => {
    const content = h('td', {}, cells[i]).children.filter((child) => child !== '');
    const classes = [kind, key, content.length === 0 && 'empty'].filter(Boolean).join(' ') || undefined;
    const attributes = { class: classes, 'data-title': title };
    if (i === head) return h('th', { scope: 'row', role: 'rowheader', ...attributes }, content);
    return h('td', { role: 'cell', ...attributes }, content);
  });
  return h('tr', { role: 'row', 'data-row': number }, shown);
}

/** An attribute that makes an element choose rows on a click. */
export const filterData = (filter: Filter): Attributes => ({ 'data-filter': JSON.stringify(filter) });

/** A button, which needs the script, that shows the rows that were counted. */
export const choiceButton = (content: Child, filter: Filter): Element =>
  h('button', { type: 'button', class: 'choice', title: 'Show only these rows', ...filterData(filter) }, content);

/** A count, as a button if it is of any rows. */
export const countButton = (count: number, filter: Filter): Child =>
  count > 0 ? choiceButton(groupDigits(count), filter) : '0';
