/** The search field, the chosen filters, and the number of rows found. */
import { counted, grouped } from '../../../../text/words.ts';
import type { PageData } from '../../page-data.ts';
import { h } from '../markup.ts';
import { byId, elementOf } from './dom.ts';
import type { Store } from './view.ts';

export function createControls(data: PageData, store: Store) {
  const search = elementOf(
    h('input', { type: 'search', id: 'search', autocomplete: 'off', spellcheck: 'false' }),
  ) as HTMLInputElement;
  const chips = elementOf(h('div', { class: 'chips' }));
  const status = elementOf(h('p', { role: 'status' }));
  byId('controls').replaceChildren(elementOf(h('label', { for: 'search' }, 'Search wallets')), search, status, chips);
  search.addEventListener('input', () => store.change({ query: { ...store.view.query, search: search.value } }));
  return (found: number): void => {
    const { filters } = store.view.query;
    const all = counted(data.rows.length, 'row');
    status.textContent = found === data.rows.length ? all : `${grouped(found)} of ${all}`;
    const focused = chips.contains(document.activeElement);
    chips.replaceChildren(...[...filters].map((filter) => chip(filter)), ...(filters.size > 1 ? [clearAll()] : []));
    // The focused chip was removed: move the focus to a remaining one.
    if (focused) (chips.querySelector('button') ?? search).focus();
  };

  function chip(filter: number): HTMLElement {
    const label = data.filters[filter]?.label ?? '';
    const button = elementOf(
      h(
        'button',
        { type: 'button', class: 'chip', title: 'Show the other rows again' },
        `only ${label}`,
        h('span', { class: 'undo' }, ' × undo'),
      ),
    );
    button.addEventListener('click', () => store.toggle([filter]));
    return button;
  }

  function clearAll(): HTMLElement {
    const button = elementOf(h('button', { type: 'button', class: 'chip clear' }, 'Undo all'));
    button.addEventListener('click', () => store.toggle([...store.view.query.filters]));
    return button;
  }
}
