/**
 * Joins several lists: the rows of one file after those of another, with columns of the same name as one. Lines are counted in
 * each file, so that numbers in messages are those of an editor.
 */
import type { ListRecord, WalletList } from './list.ts';
import type { Batches } from './rows.ts';

/** A list and its name in rows. */
export interface NamedList {
  readonly name: string;
  readonly list: WalletList;
}

/** `lists` as one, with the delimiter and byte order mark of the first list that has columns. */
export function joinLists(lists: readonly NamedList[]): WalletList {
  const [first] = lists;
  if (first && lists.length === 1) return first.list;
  const { columns, columnsOf } = mergeColumns(lists.map(({ list }) => list.head.columns ?? []));
  const model = lists.find(({ list }) => list.head.columns) ?? first;
  const head = { kind: 'lines', delimiter: ',', bom: false, ...model?.list.head } as const;
  const walletColumns = lists.flatMap(({ list }, i) =>
    (list.head.walletColumns ?? []).map((own) => columnsOf[i]?.[own] ?? -1),
  );
  const sample = lists.flatMap(({ list: { head } }, i) =>
    (head.sample ?? []).map((cells) => alignCellsOf(cells, { width: columns.length, own: columnsOf[i] ?? [] })),
  );
  return {
    head: columns.length > 0 ? { ...head, columns, walletColumns, sample } : head,
    records: allRecords(lists, columns.length, columnsOf),
  };
}

/**
 * All columns, and for each list the indexes of its columns among them. If a list has a name twice, these are two columns; the
 * first is the same as the first of that name in other lists, and so on.
 */
function mergeColumns(lists: readonly (readonly string[])[]) {
  const columns: string[] = [];
  const known = new Map<string, number[]>();
  const columnsOf = lists.map((own) => {
    const used = new Map<string, number>();
    return own.map((name) => {
      const nth = used.get(name) ?? 0;
      used.set(name, nth + 1);
      const indexes = known.get(name) ?? [];
      known.set(name, indexes);
      const index = indexes[nth] ?? columns.push(name) - 1;
      indexes[nth] = index;
      return index;
    });
  });
  return { columns, columnsOf };
}

async function* allRecords(
  lists: readonly NamedList[],
  width: number,
  columnsOf: readonly (readonly number[])[],
): Batches<ListRecord> {
  for (const [i, { name, list }] of lists.entries()) {
    const own = columnsOf[i] ?? [];
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
