/** The table of rows, its search and its pages. */
import { groupDigits } from '../../../../text/words.ts';
import { type PageData, walletsText } from '../../page-data.ts';
import { h } from '../markup.ts';
import { tableRow } from '../parts.ts';
import { PAGE_SIZE, type WalletColumn, walletColumns, walletRow } from '../table.ts';
import { buttonOf, byId, elementOf } from './dom.ts';
import type { Store } from './view.ts';

/** @returns shows the rows with the given indexes */
export function createTable(data: PageData, store: Store): (found: readonly number[]) => void {
  const columns = walletColumns(data);
  const table = byId('wallets') as HTMLTableElement;
  const showOrder = [...table.querySelectorAll<HTMLElement>('th[data-key]')].map((head) => enableSort(head, store));
  const [status, showPager] = [createSearch(store), createPager(store)];
  return (found) => {
    const start = store.view.page * PAGE_SIZE;
    const shown = found.slice(start, start + PAGE_SIZE).flatMap((number) => {
      const row = data.rows[number];
      return row ? [tableRow(columns, { cells: walletRow(row, data, columns), number })] : [];
    });
    const text = 'No row matches the search and the filters.';
    const cell = h('td', { role: 'cell', colspan: columns.length, class: 'nothing' }, text);
    const nothing = h('tr', { role: 'row' }, cell);
    table.tBodies[0]?.replaceChildren(...(shown.length > 0 ? shown : [nothing]).map(elementOf));
    const rows = found.flatMap((number) => data.rows[number] ?? []);
    status.textContent = walletsText(rows, data.rows);
    for (const show of showOrder) show();
    showPager(found.length);
  };
}

/** @returns the element that says how many rows were found */
function createSearch(store: Store): HTMLElement {
  const field = h('input', { type: 'search', id: 'search', autocomplete: 'off', spellcheck: 'false' });
  const search = elementOf(field) as HTMLInputElement;
  const status = elementOf(h('p', { role: 'status' }));
  byId('controls').replaceChildren(elementOf(h('label', { for: 'search' }, 'Search wallets')), search, status);
  search.addEventListener('input', () => store.change({ search: search.value }));
  return status;
}

/**
 * Clicking cycles through ascending, descending and the order of the list. @returns shows by which
 * column the rows are sorted
 */
function enableSort(head: HTMLElement, store: Store): () => void {
  const key = head.dataset.key as WalletColumn['key'];
  const button = buttonOf({ class: 'sort' }, ...head.childNodes);
  head.append(button);
  button.addEventListener('click', () => {
    const { sort } = store.view;
    const isOwn = sort?.key === key;
    store.change({ sort: isOwn && sort.descending ? undefined : { key, descending: isOwn } });
  });
  return () => {
    const { sort } = store.view;
    if (sort?.key !== key) head.removeAttribute('aria-sort');
    else head.setAttribute('aria-sort', sort.descending ? 'descending' : 'ascending');
  };
}

function createPager(store: Store): (found: number) => void {
  const [back, on] = [buttonOf({}, 'Back'), buttonOf({}, 'Next')];
  const position = elementOf(h('span', {}));
  byId('pager').replaceChildren(back, position, on);
  back.addEventListener('click', () => store.change({ page: store.view.page - 1 }));
  on.addEventListener('click', () => store.change({ page: store.view.page + 1 }));
  return (found) => {
    const start = store.view.page * PAGE_SIZE;
    const last = Math.min(found, start + PAGE_SIZE);
    position.textContent =
      found === 0 ? 'no rows' : `rows ${groupDigits(start + 1)} to ${groupDigits(last)} of ${groupDigits(found)}`;
    back.toggleAttribute('disabled', start === 0);
    on.toggleAttribute('disabled', last >= found);
  };
}
