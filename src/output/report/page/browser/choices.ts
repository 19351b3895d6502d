/** Makes counts, values and bars filter the rows on click, and shows which filters are chosen. */
import { h } from '../markup.ts';
import { filterIn } from '../selection.ts';
import { buttonOf, byId, elementOf } from './dom.ts';
import type { Store } from './view.ts';

/** @returns shows what is chosen */
export function enableChoices(store: Store): () => void {
  for (const choice of document.querySelectorAll('span.choice')) {
    const button = buttonOf({ class: 'choice', title: 'Show only these rows' }, ...choice.childNodes);
    button.dataset.filter = filterOf(choice);
    choice.replaceWith(button);
  }
  for (const chart of document.querySelectorAll<SVGElement>('svg.chart')) enableBars(chart);
  const choices = [...document.querySelectorAll<HTMLElement | SVGElement>('[data-filter]')];
  for (const choice of choices) {
    choice.addEventListener('click', () => {
      if (store.toggle([filterOf(choice)])) byId('rows').scrollIntoView();
    });
  }
  const chips = elementOf(h('div', { class: 'chips' }));
  byId('controls').append(chips);
  const chip = (text: string, filters: readonly string[]) => {
    const button = buttonOf({ class: 'chip', title: 'Show the other rows again' }, text);
    button.addEventListener('click', () => store.toggle(filters));
    return button;
  };
  return () => {
    const chosen = store.view.filters;
    for (const choice of choices) {
      choice.setAttribute('aria-pressed', String(chosen.has(filterOf(choice))));
    }
    const isFocused = chips.contains(document.activeElement);
    chips.replaceChildren(
      ...[...chosen].map((filter) => chip(`only ${filterIn(filter).label} × undo`, [filter])),
      ...(chosen.size > 1 ? [chip('Undo all', [...chosen])] : []),
    );
    // The focused chip was removed: move the focus to a remaining one.
    if (isFocused) (chips.querySelector('button') ?? byId('search')).focus();
  };
}

const filterOf = (choice: Element) => choice.getAttribute('data-filter') ?? '';

/** The bars of a chart form one toolbar, navigated with the arrow keys. */
function enableBars(chart: SVGElement): void {
  const bars = [...chart.querySelectorAll<SVGElement>('.bar')];
  if (bars.length === 0) return;
  // Role `img` hides its content from assistive technology; a toolbar exposes it and is one tab
  // stop.
  chart.setAttribute('role', 'toolbar');
  for (const [i, bar] of bars.entries()) {
    bar.setAttribute('role', 'button');
    bar.setAttribute('tabindex', i === 0 ? '0' : '-1');
    bar.setAttribute('aria-label', bar.dataset.label ?? '');
    bar.addEventListener('keydown', (event) => {
      const { key } = event;
      const target = { ArrowLeft: i - 1, ArrowRight: i + 1, Home: 0, End: bars.length - 1 }[key];
      if (key === 'Enter' || key === ' ') bar.dispatchEvent(new MouseEvent('click'));
      else if (target === undefined) return;
      event.preventDefault();
      const next = bars[target ?? -1];
      if (!next) return;
      for (const one of bars) one.setAttribute('tabindex', one === next ? '0' : '-1');
      next.focus();
    });
  }
}
