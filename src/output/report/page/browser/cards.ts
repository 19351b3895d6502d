/** Shows the card of a wallet in a dialog. */
import { parseDocument } from '../../../../document/parse.ts';
import type { PageData } from '../../page-data.ts';
import { cardBody } from '../card.ts';
import { h } from '../markup.ts';
import { buttonOf, byId, domOf, elementOf } from './dom.ts';

/** Opens a card on a click on its row, or on its wallet. */
export function enableCards(data: PageData): void {
  const open = createCards(data);
  for (const table of document.querySelectorAll('table.wallets')) {
    table.addEventListener('click', ({ target }) => {
      const row = target instanceof Element ? target.closest<HTMLElement>('tr[data-row]') : null;
      const isSelecting = document.getSelection()?.toString() !== '';
      const isButton = target instanceof Element && target.closest('button') !== null;
      if (row && (isButton || !isSelecting)) open(Number(row.dataset.row));
    });
  }
}

function createCards(data: PageData): (row: number) => void {
  const dialog = byId('card') as HTMLDialogElement;
  dialog.addEventListener('click', ({ target }) => {
    // A click outside the card hits the dialog's backdrop.
    if (target === dialog) dialog.close();
  });

  return (number) => {
    const row = data.rows[number];
    if (!row) return;
    const node = row.card === undefined ? undefined : parseDocument(row.card);
    const close = buttonOf({}, 'Close');
    close.addEventListener('click', () => dialog.close());
    const head = elementOf(h('div', { class: 'card-head' }, h('h2', { id: 'card-title' }, row.wallet)));
    head.append(close);
    dialog.replaceChildren(head, ...cardBody(row, node?.kind === 'object' ? node : undefined, data).map(domOf));
    dialog.showModal();
    dialog.scrollTop = 0;
  };
}
