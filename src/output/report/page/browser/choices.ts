/** Makes counts, values and bars filter the rows on click. The bars of a chart form one toolbar, navigated with the arrow keys. */
import { byId } from './dom.ts';
import type { Store } from './view.ts';

export function enableChoices(store: Store): void {
  for (const choice of document.querySelectorAll<HTMLElement>('.choice')) enableButton(choice, store);
  for (const chart of document.querySelectorAll<SVGElement>('svg.chart')) enableChart(chart, store);
  for (const cell of document.querySelectorAll<SVGElement>('.cell')) {
    cell.addEventListener('click', () => choose((cell.dataset.filters ?? '').split(' ').map(Number), store));
  }
}

/** Toggles the filters and scrolls to the table. */
function choose(filters: readonly number[], store: Store): void {
  if (store.toggle(filters)) byId('rows').scrollIntoView();
}

function enableButton(choice: HTMLElement, store: Store): void {
  const filter = Number(choice.dataset.filter);
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'choice';
  button.title = 'Show only these rows';
  button.append(...choice.childNodes);
  choice.replaceWith(button);
  button.addEventListener('click', () => choose([filter], store));
  follow(button, { filter, store });
}

/** Keeps `aria-pressed` of `element` in step with its filter. */
function follow(element: Element, { filter, store }: { readonly filter: number; readonly store: Store }): void {
  const show = () => element.setAttribute('aria-pressed', String(store.view.query.filters.has(filter)));
  show();
  store.onChange(show);
}

function enableChart(chart: SVGElement, store: Store): void {
  const bars = [...chart.querySelectorAll<SVGElement>('.bar')];
  if (bars.length === 0) return;
  // Role `img` hides its content from assistive technology; a toolbar exposes it and is one tab stop.
  chart.setAttribute('role', 'toolbar');
  for (const [i, bar] of bars.entries()) {
    const filter = Number(bar.dataset.filter);
    bar.setAttribute('role', 'button');
    bar.setAttribute('tabindex', i === 0 ? '0' : '-1');
    bar.setAttribute('aria-label', bar.dataset.label ?? '');
    bar.addEventListener('click', () => choose([filter], store));
    bar.addEventListener('keydown', (event) => {
      if (event.key === 'Enter' || event.key === ' ') choose([filter], store);
      else if (!walk(bars, { from: i, key: event.key })) return;
      event.preventDefault();
    });
    follow(bar, { filter, store });
  }
}

/** Moves the focus to another bar. @returns whether the key is one that moves it */
function walk(bars: readonly SVGElement[], { from, key }: { readonly from: number; readonly key: string }): boolean {
  const targets: Readonly<Record<string, number>> = {
    ArrowLeft: from - 1,
    ArrowRight: from + 1,
    Home: 0,
    End: bars.length - 1,
  };
  const next = bars[targets[key] ?? -1];
  if (!next) return key in targets;
  for (const bar of bars) bar.setAttribute('tabindex', bar === next ? '0' : '-1');
  next.focus();
  return true;
}
