/** The section of a page about changes since the baseline. */
import { counted, grouped } from '../../../text/words.ts';
import type { Changes, Move, Moves, NamedWallet } from '../figures/changes.ts';
import type { Stability } from '../figures/stability.ts';
import type { Filter, Measure } from '../page-data.ts';
import { movesTitle, stabilityText, transitionText } from '../statement.ts';
import { type Element, h, type Markup } from './markup.ts';
import { choice, numbersTable } from './parts.ts';
import { centsOf } from './table.ts';
import { flowTable } from './tables-by-value.ts';

/** The content of the section. */
export function changeParts(
  { baseline, counts, moves, transitions, flows, removed }: Changes,
  { psi, filters }: { readonly psi: Stability | undefined; readonly filters: Filter[] },
): readonly Markup[] {
  const count = (change: 'added' | 'changed' | 'same') => {
    const filter = { group: 'change', label: change, kind: 'change', change } as const;
    return choice(`${grouped(counts[change])} ${change}`, filter, filters);
  };
  const against = ['Wallet by wallet against ', h('span', { class: 'file' }, baseline), ': '];
  const gone = `, ${grouped(counts.removed)} removed, `;
  return [
    h('p', {}, against, count('changed'), ', ', count('added'), gone, count('same')),
    ...(psi === undefined ? [] : [h('p', { class: 'note' }, `${stabilityText(psi).replace(/^s/, 'S')}.`)]),
    ...transitions.map((transition) => h('p', { class: 'note' }, transitionText(transition))),
    ...flows.map(flowTable),
    h('div', { class: 'moves' }, moves.flatMap(movesTables)),
    ...(removed.length > 0 ? [removedText(removed, counts.removed)] : []),
  ];
}

function removedText(removed: readonly NamedWallet[], all: number): Element {
  const shown =
    removed.length < all ? `the first ${removed.length} of ${counted(all, 'wallet')}` : counted(all, 'wallet');
  const wallets = removed.map((one) => h('li', {}, nameOf(one)));
  return h('details', {}, h('summary', {}, `No longer there: ${shown}`), h('ul', {}, wallets));
}

function movesTables({ measure, rises, falls }: Moves): readonly Element[] {
  return [
    ...(rises.length > 0 ? [movesTable(movesTitle(measure, 'rises'), measure, rises)] : []),
    ...(falls.length > 0 ? [movesTable(movesTitle(measure, 'falls'), measure, falls)] : []),
  ];
}

function movesTable(title: string, measure: Measure, moves: readonly Move[]): Element {
  const shown = (amount: string) => (measure === 'collateral' ? (centsOf(amount) ?? '') : amount);
  const lines = moves.map((move) => {
    const { old, new: current, delta } = move;
    const change = delta.startsWith('-') ? ['−', shown(delta.slice(1))] : ['+', shown(delta)];
    return { head: nameOf(move), numbers: [shown(old), shown(current), change] };
  });
  return h('div', { class: measure }, h('h3', {}, title), numbersTable(['Wallet', 'Was', 'Is', 'Change'], lines));
}

const nameOf = ({ wallet, label }: NamedWallet): readonly Markup[] => [
  ...(label === undefined ? [] : [h('span', { class: 'name' }, label), ' ']),
  h('code', { class: 'wallet' }, wallet),
];
