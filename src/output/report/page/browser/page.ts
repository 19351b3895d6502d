/** The page's script: search, sort, filter, and show a wallet's card. */
import type { PageData } from '../../page-data.ts';
import { createSelection } from '../selection.ts';
import { enableCards } from './cards.ts';
import { enableChoices } from './choices.ts';
import { byId } from './dom.ts';
import { createTable } from './table.ts';
import { createStore } from './view.ts';

const data: PageData = JSON.parse(byId('data').textContent ?? '');
const select = createSelection(data);
const store = createStore(showPage);
const showTable = createTable(data, store);
const showChoices = enableChoices(store);
enableCards(data);
showPage();
document.documentElement.classList.add('live');

function showPage(): void {
  showTable(select(store.view));
  showChoices();
}
