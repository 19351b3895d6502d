/** What changed since the baseline, on a page. */
import { counted, grouped } from '../../../text/words.ts';
import type { Changes, Move, Moves } from '../figures/changes.ts';
import type { Measure } from '../page-data.ts';
import { movesTitle, transitionText } from '../statement.ts';
import type { Filters } from './filters.ts';
import { type Element, h, type Markup } from './markup.ts';
import { dollarText } from './table.ts';

/** What stands in the section. */
export function changeParts(
  { baseline, counts, moves, transitions, removed }: Changes,
  filters: Filters,
): readonly Markup[] {
  const choice = (change: 'added' | 'changed' | 'same') => {
    const filter = filters.add({ group: 'change', label: change, kind: 'change', change });
    return h('span', { class: 'choice', 'data-filter': filter }, `${grouped(counts[change])} ${change}`);
  };
  return [
    h(
      'p',
      {},
      'Wallet by wallet against ',
      h('span', { class: 'file' }, baseline),
      ': ',
      choice('changed'),
      ', ',
      choice('added'),
      `, ${grouped(counts.removed)} removed, `,
      choice('same'),
      '.',
    ),
    ...transitions.map((transition) => h('p', { class: 'note' }, transitionText(transition))),
    h('div', { class: 'moves' }, moves.flatMap(movesTables)),
    ...(removed.length > 0 ? [removedText(removed, counts.removed)] : []),
  ];
}

function removedText(removed: readonly string[], all: number): Element {
  const shown =
    removed.length < all ? `the first ${removed.length} of ${counted(all, 'wallet')}` : counted(all, 'wallet');
  return h(
    'details',
    {},
    h('summary', {}, `No longer there: ${shown}`),
    h(
      'ul',
      {},
      removed.map((wallet) => h('li', {}, h('code', {}, wallet))),
    ),
  );
}

function movesTables({ measure, rises, falls }: Moves): readonly Element[] {
  const shown = (amount: string) => (measure === 'collateral' ? (dollarText(amount) ?? '') : amount);
  const tables = [
    { title: movesTitle(measure, 'rises'), moves: rises },
    { title: movesTitle(measure, 'falls'), moves: falls },
  ];
  return tables
    .filter(({ moves }) => moves.length > 0)
    .map(({ title, moves }) => movesTable(title, { measure, rows: moves.map((move) => cellsOf(move, shown)) }));
}

const cellsOf = ({ wallet, old, new: current, delta }: Move, shown: (amount: string) => string): readonly string[] => [
  wallet,
  shown(old),
  shown(current),
  delta.startsWith('-') ? shown(delta).replace('-', '−') : `+${shown(delta)}`,
];

interface MovesTable {
  readonly measure: Measure;
  readonly rows: readonly (readonly string[])[];
}

function movesTable(title: string, { measure, rows }: MovesTable): Element {
  return h(
    'div',
    { class: `scroll ${measure}`, role: 'region', 'aria-label': title, tabindex: 0 },
    h('h3', {}, title),
    h(
      'table',
      {},
      h(
        'thead',
        {},
        h(
          'tr',
          {},
          ['Wallet', 'Was', 'Is', 'Change'].map((text, i) =>
            h('th', { scope: 'col', class: i > 0 ? 'number' : undefined }, text),
          ),
        ),
      ),
      h(
        'tbody',
        {},
        rows.map(([wallet = '', ...numbers]) =>
          h(
            'tr',
            {},
            h('th', { scope: 'row' }, h('code', {}, wallet)),
            numbers.map((text) => h('td', { class: 'number' }, text)),
          ),
        ),
      ),
    ),
  );
}
