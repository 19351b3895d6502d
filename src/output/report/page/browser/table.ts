/** The table of rows. Only one page of rows is in the DOM, so that ten thousand rows are as fast as fifty. */
import { grouped } from '../../../../text/words.ts';
import type { PageData } from '../../page-data.ts';
import { h } from '../markup.ts';
import { columnsOf, type PageColumn, rowCells } from '../table.ts';
import { byId, elementOf } from './dom.ts';
import type { Store } from './view.ts';

const SIZES = [25, 50, 100, 250, 1_000];

/**
 * @param open called with the index of a row to show its card
 * @returns a function that shows the rows with the given indexes
 */
export function createTable(data: PageData, store: Store, open: (row: number) => void) {
  const columns = columnsOf(data);
  const table = byId('wallets') as HTMLTableElement;
  const [body] = table.tBodies;
  if (!body) throw new Error('the table has no body');
  for (const head of table.querySelectorAll<HTMLElement>('th[data-key]')) enableSort(head, store);
  const showPager = createPager(store);
  for (const opened of document.querySelectorAll<HTMLTableElement>('table.wallets')) enableCards(opened, open);
  return (found: readonly number[]): void => {
    const { page, size } = store.view;
    const shown = found.slice(page * size, (page + 1) * size);
    body.replaceChildren(...shown.map((number) => rowElement(number)));
    if (shown.length === 0) body.append(nothing(columns.length));
    showPager(found.length);
  };

  function rowElement(number: number): HTMLElement {
    const row = data.rows[number];
    const element = elementOf(h('tr', { role: 'row', 'data-row': number }, row ? rowCells(row, columns, data) : []));
    enableWallet(element);
    return element;
  }
}

/** Opens a card on a click on its row, or on its wallet, which is a button for the keyboard. */
function enableCards(table: HTMLTableElement, open: (row: number) => void): void {
  for (const row of table.tBodies[0]?.rows ?? []) enableWallet(row);
  table.addEventListener('click', ({ target }) => {
    const row = target instanceof Element ? target.closest<HTMLElement>('tr[data-row]') : null;
    const isSelecting = document.getSelection()?.toString() !== '';
    const isButton = target instanceof Element && target.closest('button') !== null;
    if (row && (isButton || !isSelecting)) open(Number(row.dataset.row));
  });
}

function enableWallet(row: Element): void {
  const wallet = row.querySelector('.wallet span.wallet');
  if (!wallet) return;
  const button = elementOf(h('button', { type: 'button', class: wallet.className }));
  button.append(...wallet.childNodes);
  wallet.replaceWith(button);
}

function nothing(columns: number): HTMLElement {
  const text = 'No row matches the search and the filters.';
  return elementOf(h('tr', { role: 'row' }, h('td', { role: 'cell', colspan: columns, class: 'nothing' }, text)));
}

/** Clicking cycles through ascending, descending and the order of the list. */
function enableSort(head: HTMLElement, store: Store): void {
  const key = head.dataset.key as PageColumn['key'];
  const button = elementOf(h('button', { type: 'button', class: 'sort' }));
  button.append(...head.childNodes);
  head.append(button);
  button.addEventListener('click', () => {
    const { sort } = store.view.query;
    const next =
      sort?.key !== key ? { key, descending: false } : sort.descending ? undefined : { key, descending: true };
    store.change({ query: { ...store.view.query, sort: next } });
  });
  store.onChange(({ query: { sort } }) => {
    if (sort?.key !== key) head.removeAttribute('aria-sort');
    else head.setAttribute('aria-sort', sort.descending ? 'descending' : 'ascending');
  });
}

function createPager(store: Store) {
  const [back, on] = [button('Back'), button('Next')];
  const position = elementOf(h('span', {}));
  const options = SIZES.map((size) => h('option', { value: size, selected: size === store.view.size }, String(size)));
  const sizes = elementOf(h('select', { id: 'size' }, options)) as HTMLSelectElement;
  byId('pager').replaceChildren(back, position, on, elementOf(h('label', { for: 'size' }, 'Rows shown')), sizes);
  back.addEventListener('click', () => store.change({ page: store.view.page - 1 }));
  on.addEventListener('click', () => store.change({ page: store.view.page + 1 }));
  sizes.addEventListener('change', () => store.change({ size: Number(sizes.value), page: 0 }));
  return (found: number): void => {
    const { page, size } = store.view;
    const last = Math.min(found, (page + 1) * size);
    position.textContent =
      found === 0 ? 'no rows' : `rows ${grouped(page * size + 1)} to ${grouped(last)} of ${grouped(found)}`;
    back.toggleAttribute('disabled', page === 0);
    on.toggleAttribute('disabled', last >= found);
  };
}

const button = (text: string) => elementOf(h('button', { type: 'button' }, text));
