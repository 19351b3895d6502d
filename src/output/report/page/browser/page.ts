/** The page's script: search, sort, filter, and show a wallet's card. */
import type { PageData } from '../../page-data.ts';
import { createSelection } from '../selection.ts';
import { enableCards } from './cards.ts';
import { enableChoices } from './choices.ts';
import { byId } from './dom.ts';
import { createTable } from './table.ts';
import { createStore } from './view.ts';

const data: PageData = JSON.parse(byId('data').textContent ?? '');
const { select, prepare } = createSelection(data);
const store = createStore(showPage);
const showTable = createTable(data, store);
const showChoices = enableChoices(data, store);
enableCards(data);
showPage();
document.documentElement.classList.add('live');
// After the first paint, prepare the search so that the first one is as fast as the others.
requestAnimationFrame(() => requestAnimationFrame(prepare));

function showPage(): void {
  const found = select(store.view);
  showTable(found);
  showChoices();
}
