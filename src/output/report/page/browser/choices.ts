/** Makes counts, values and bars filter the rows on click, and shows which filters are chosen. */
import { h } from '../markup.ts';
import { filterIn } from '../selection.ts';
import { buttonOf, byId, elementOf } from './dom.ts';
import type { Store } from './view.ts';

/** @returns shows what is chosen */
export function enableChoices(store: Store): () => void {
  const choices = [...document.querySelectorAll<HTMLElement | SVGElement>('[data-filter]')];
  for (const choice of choices) {
    choice.addEventListener('click', () => {
      if (store.toggle(filterOf(choice))) byId('rows').scrollIntoView();
    });
  }
  const chips = elementOf(h('div', { class: 'chips' }));
  byId('controls').append(chips);
  const chip = (filter: string) => {
    const text = `only ${filterIn(filter).label} × undo`;
    const button = buttonOf({ class: 'chip', title: 'Show the other rows again' }, text);
    button.addEventListener('click', () => store.toggle(filter));
    return button;
  };
  return () => {
    const chosen = store.view.filters;
    for (const choice of choices) {
      choice.setAttribute('aria-pressed', String(chosen.has(filterOf(choice))));
    }
    const isFocused = chips.contains(document.activeElement);
    chips.replaceChildren(...[...chosen].map(chip));
    // The focused chip was removed: move the focus to a remaining one.
    if (isFocused) (chips.querySelector('button') ?? byId('search')).focus();
  };
}

const filterOf = (choice: Element) => choice.getAttribute('data-filter') ?? '';
