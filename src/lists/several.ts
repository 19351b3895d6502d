/**
 * Several lists as one: the rows of one file behind those of the other, the columns side by side under the names that
 * they share. Lines are counted file by file, so that a message leads to the line in an editor.
 */
import type { ListRecord, WalletList } from './list.ts';
import type { Batches } from './rows.ts';

/** A list and what it is called in its rows. */
export interface NamedList {
  readonly name: string;
  readonly list: WalletList;
}

/** `lists` as one; a delimiter and a byte order mark are those of the first list that has columns. */
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
 * All columns, and for each list where its own stand among them. A name that a list has twice is two columns, and the first of them is the first of another list
 * that has it twice.
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
