/** Shows the card of a wallet in a dialog; cards are decompressed on demand. */
import type { ObjectNode } from '../../../../document/node.ts';
import { parseDocument } from '../../../../document/parse.ts';
import type { PageData } from '../../page-data.ts';
import { cardBody } from '../card.ts';
import { h } from '../markup.ts';
import { buttonOf, byId, domOf, elementOf } from './dom.ts';

/** Opens a card on a click on its row, or on its wallet. */
export function enableCards(data: PageData): void {
  const open = createCards(data);
  for (const table of document.querySelectorAll('table.wallets')) {
    enableWallets(table);
    table.addEventListener('click', ({ target }) => {
      const row = target instanceof Element ? target.closest<HTMLElement>('tr[data-row]') : null;
      const isSelecting = document.getSelection()?.toString() !== '';
      const isButton = target instanceof Element && target.closest('button') !== null;
      if (row && (isButton || !isSelecting)) open(Number(row.dataset.row));
    });
  }
}

/** Makes the wallets of rows that have cards buttons, for the keyboard. */
export function enableWallets(table: Element): void {
  for (const wallet of table.querySelectorAll('tr[data-row] span.address')) {
    wallet.replaceWith(buttonOf({ class: wallet.className }, ...wallet.childNodes));
  }
}

function createCards(data: PageData): (row: number) => Promise<void> {
  const dialog = byId('card') as HTMLDialogElement;
  const parts = new Map<number, Promise<readonly string[]>>();
  dialog.addEventListener('click', ({ target }) => {
    // A click outside the card hits the dialog's backdrop.
    if (target === dialog) dialog.close();
  });

  async function nodeOf([part, index]: readonly [number, number]): Promise<ObjectNode | undefined> {
    const lines = parts.get(part) ?? unpackPart(data.parts[part] ?? '');
    parts.set(part, lines);
    const node = parseDocument((await lines)[index] ?? 'null');
    return node.kind === 'object' ? node : undefined;
  }

  return async (number) => {
    const row = data.rows[number];
    if (!row) return;
    const node = row.card && (await nodeOf(row.card));
    const close = buttonOf({}, 'Close');
    close.addEventListener('click', () => dialog.close());
    const head = elementOf(h('div', { class: 'card-head' }, h('h2', { id: 'card-title' }, row.wallet)));
    head.append(close);
    dialog.replaceChildren(head, ...cardBody(row, node).map(domOf));
    dialog.showModal();
    dialog.scrollTop = 0;
  };
}

async function unpackPart(part: string): Promise<readonly string[]> {
  const bytes = Uint8Array.from(atob(part), (unit) => unit.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return (await new Response(stream).text()).split('\n');
}
