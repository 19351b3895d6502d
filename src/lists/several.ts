/**
 * Joins several lists: the rows of one file after those of another, with columns of the same name as one. Lines are counted in
 * each file, so that numbers in messages are those of an editor.
 */
import type { ListRecord, WalletList } from './list.ts';
import type { Batches } from './rows.ts';

export interface NamedList {
  readonly name: string;
  readonly list: WalletList;
}

/** `lists` as one, with the delimiter and byte order mark of the first list that has columns. */
export function joinLists(lists: readonly NamedList[]): WalletList {
  const [first] = lists;
  if (first && lists.length === 1) return first.list;
  const { columns, parts } = mergeColumns(lists);
  const model = lists.find(({ list }) => list.head.columns) ?? first;
  const head = { kind: 'lines', delimiter: ',', bom: false, ...model?.list.head } as const;
  const walletColumns = parts.flatMap(({ list, own }) => own.filter((_, i) => list.head.walletColumns?.includes(i)));
  const sample = parts.flatMap(({ list, own }) =>
    (list.head.sample ?? []).map((cells) => alignCellsOf(cells, { width: columns.length, own })),
  );
  return {
    head: columns.length > 0 ? { ...head, columns, walletColumns, sample } : head,
    records: allRecords(parts, columns.length),
  };
}

/** A list, and where its own columns stand among those of all. */
interface Part extends NamedList {
  readonly own: readonly number[];
}

/**
 * All columns, and for each list the indexes of its columns among them. If a list has a name twice, these are two columns; the
 * first is the same as the first of that name in other lists, and so on.
 */
function mergeColumns(lists: readonly NamedList[]) {
  const columns: string[] = [];
  const known = new Map<string, number[]>();
  const parts = lists.map(({ name, list }): Part => {
    const used = new Map<string, number>();
    const own = (list.head.columns ?? []).map((column) => {
      const nth = used.get(column) ?? 0;
      used.set(column, nth + 1);
      const indexes = known.get(column) ?? [];
      known.set(column, indexes);
      const index = indexes[nth] ?? columns.push(column) - 1;
      indexes[nth] = index;
      return index;
    });
    return { name, list, own };
  });
  return { columns, parts };
}

async function* allRecords(parts: readonly Part[], width: number): Batches<ListRecord> {
  for (const { name, list, own } of parts) {
    for await (const batch of list.records) {
      yield batch.map((record) => {
        const cells = width > 0 ? { cells: alignCellsOf(record.cells ?? [], { width, own }) } : {};
        return { ...record, file: name, ...cells };
      });
    }
  }
}

function alignCellsOf(cells: readonly string[], { width, own }: { width: number; own: readonly number[] }) {
  const all = Array<string>(width).fill('');
  own.forEach((column, i) => {
    all[column] = cells[i] ?? '';
  });
  return all;
}
