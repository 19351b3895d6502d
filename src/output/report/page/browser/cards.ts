/** Shows the card of a wallet in a dialog; cards are decompressed on demand. */
import type { ObjectNode } from '../../../../document/node.ts';
import { parseDocument } from '../../../../document/parse.ts';
import type { PageData } from '../../page-data.ts';
import { cardBody } from '../card.ts';
import { h } from '../markup.ts';
import { byId, domOf, elementOf } from './dom.ts';

export function createCards(data: PageData): (row: number) => Promise<void> {
  const dialog = byId('card') as HTMLDialogElement;
  const parts = new Map<number, Promise<readonly string[]>>();
  dialog.addEventListener('click', ({ target }) => {
    // A click outside the card hits the dialog's backdrop.
    if (target === dialog) dialog.close();
  });

  function linesOf(part: number): Promise<readonly string[]> {
    const lines = parts.get(part) ?? unpacked(data.parts[part] ?? '');
    parts.set(part, lines);
    return lines;
  }

  async function nodeOf([part, index]: readonly [number, number]): Promise<ObjectNode | undefined> {
    const node = parseDocument((await linesOf(part))[index] ?? 'null');
    return node.kind === 'object' ? node : undefined;
  }

  return async (number) => {
    const row = data.rows[number];
    if (!row) return;
    const node = row.card && (await nodeOf(row.card));
    const close = elementOf(h('button', { type: 'button', class: 'close' }, 'Close'));
    close.addEventListener('click', () => dialog.close());
    const title = elementOf(h('h2', { id: 'card-title' }, row.wallet));
    const body = elementOf(h('div', { class: 'card' }));
    body.append(elementOf(h('div', { class: 'card-head' })), ...cardBody(row, { data, node }).map(domOf));
    body.firstElementChild?.append(title, close);
    dialog.replaceChildren(body);
    dialog.showModal();
    dialog.scrollTop = 0;
  };
}

async function unpacked(part: string): Promise<readonly string[]> {
  const bytes = Uint8Array.from(atob(part), (unit) => unit.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return (await new Response(stream).text()).split('\n');
}
