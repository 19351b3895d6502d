import { expect, it } from 'vitest';
import type { ObjectNode } from '../../../../src/document/node.ts';
import { lookup } from '../../../../src/document/path.ts';
import { writeCompact } from '../../../../src/document/write.ts';
import { listRows } from '../../../../src/output/list/list-rows.ts';
import { shapeRows } from '../../../../src/output/rows/shape.ts';
import { classify, type Row } from '../../../../src/row/row.ts';
import { rowNode } from '../../../../src/row/row-node.ts';
import { compareKeys, sortKey } from '../../../../src/row/sort-key.ts';
import { parseSort, type Shape } from '../../../../src/rules/shape.ts';
import { temporaryFolder } from '../../../fixtures/place/folder.ts';
import { fc } from '../../../fixtures/properties.ts';
import { documents } from '../../document/documents.ts';

const folder = temporaryFolder();

/** What comes out of `rows`, as JSON, and what is said. */
async function shaped(
  rows: readonly Row[],
  shape: Shape,
  { stop, signal = new AbortController().signal }: { readonly stop?: unknown; readonly signal?: AbortSignal } = {},
) {
  const written: string[] = [];
  const notes: string[] = [];
  const sink = {
    row(row: Row) {
      written.push(writeCompact(rowNode(row)));
      return undefined;
    },
    flush: () => undefined,
    end: async () => {},
    close: async () => {},
  };
  const report = { info: (text: string) => notes.push(text) };
  const context = { temporaryFolder: () => folder, signal: () => signal, report } as never;
  const output = shapeRows(sink, { shape, kind: listRows({}), context });
  try {
    for (const row of rows) await output.row(row);
    await output.end({ stop, counts: {} });
  } finally {
    await output.close();
  }
  return { written, notes };
}

const objects = documents.filter((node): node is ObjectNode => node.kind === 'object');
const rows = fc.array(
  fc.oneof(
    fc.tuple(documents, objects).map(([a, other]): Row => {
      const document: ObjectNode = { kind: 'object', members: [...other.members, ['a', a]] };
      return {
        line: 0,
        input: 'x\t\n\u2028',
        wallet: '0x1',
        document,
        ...classify(document),
        verdicts: [{ rule: 'm;n', level: 'alarm', says: 'matches' }],
      };
    }),
    fc.constant<Row>({
      line: 0,
      input: [['ü', '\ud800']],
      cells: ['\ud800'],
      status: 'invalid',
      error: { code: 'a', message: 'b' },
    }),
  ),
  { maxLength: 30 },
);
const numbered = (all: readonly Row[]) => all.map((row, i) => ({ ...row, line: i + 1 }));

it('writes rows unchanged, in the order of a stable sort, both ways', async () => {
  await fc.assert(
    fc.asyncProperty(rows.map(numbered), fc.constantFrom('a', 'a:desc'), async (all, text) => {
      const sort = parseSort(text);
      const keyOf = ({ document }: Row) => sortKey(document && lookup(document, ['a']));
      const expected = [...all].sort((one, other) => compareKeys(keyOf(one), keyOf(other), sort));
      const { written, notes } = await shaped(all, { sort });
      expect(written).toEqual(expected.map((row) => writeCompact(rowNode(row))));
      expect(notes).toEqual([]);
    }),
  );
});

it('writes the sorted rows of a stopped list so far, and stops at once on a later signal', async () => {
  const all = numbered([{ line: 1, input: 'x', status: 'pending' }]);
  const signal = AbortSignal.abort(new Error('stopped'));
  expect((await shaped(all, { sort: parseSort('a') }, { stop: signal.reason, signal })).written).toHaveLength(1);
  await expect(shaped(all, { sort: parseSort('a') }, { signal })).rejects.toThrow('stopped');
});
