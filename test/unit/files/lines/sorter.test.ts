import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { Sorter } from '../../../../src/files/lines/sorter.ts';
import { compareKeys, keyOrder, type SortKey, sortKey } from '../../../../src/row/sort-key.ts';
import { temporaryFolder } from '../../../fixtures/place/folder.ts';
import { fc, tries } from '../../../fixtures/properties.ts';

const order = { compare: (a: number, b: number) => a - b };

interface Case {
  readonly keys: readonly number[];
  readonly top?: number | undefined;
  readonly room?: number;
}

const folder = temporaryFolder();

async function sort({ keys, ...options }: Case): Promise<string[]> {
  const sorter = new Sorter<number>({ temporaryFolder: () => folder }, { order, ...options });
  try {
    for (const [i, key] of keys.entries()) sorter.add(key, () => `${key} ${i} é\u2028${'x'.repeat(key)}`);
    const lines: string[] = [];
    for await (const line of sorter.sorted()) lines.push(line);
    return lines.map((line) => line.replace(/ é.*/s, ''));
  } finally {
    sorter.close();
  }
}

const expected = ({ keys, top = keys.length }: Case) =>
  keys
    .map((key, i) => ({ key, text: `${key} ${i}` }))
    .sort((a, b) => a.key - b.key)
    .slice(0, top)
    .map(({ text }) => text);

describe('Sorter', () => {
  it('sorts stably in memory and on disk, with and without --top', async () => {
    const cases = fc.record({
      keys: fc.array(fc.nat({ max: 20 }), { maxLength: 200 }),
      top: fc.option(fc.integer({ min: 1, max: 250 }), { nil: undefined }),
      room: fc.constantFrom(1, 500, 5_000, 1_000_000),
    });
    await fc.assert(
      fc.asyncProperty(cases, async (one) => {
        expect(await sort(one)).toEqual(expected(one));
      }),
      { numRuns: tries(30) },
    );
    expect(readdirSync(folder)).toEqual([]);
  });

  it('merges runs with lines longer than the read buffer', async () => {
    const keys = Array.from({ length: 40 }, (_, i) => 30_000 - ((i * 7_919) % 30_000));
    expect(await sort({ keys, room: 100_000 })).toEqual(expected({ keys }));
  });

  it('sorts texts that are equal in the part stored in a run', async () => {
    const end = (...units: string[]) => fc.string({ unit: fc.constantFrom(...units), maxLength: 4 });
    const starts = ['', 'x'.repeat(255), 'x'.repeat(256), 'x'.repeat(66_000), '\u{1f600}'.repeat(300)];
    const words = fc.tuple(fc.constantFrom(...starts), end('a', 'é', '\uffff', '\ud800', '\u{1f600}'));
    const numbers = fc.tuple(
      fc.constantFrom('1', '-1', '-1.', '1.'),
      fc.constantFrom('', '2'.repeat(300)),
      end('0', '3'),
    );
    const texts = fc.array(
      fc.oneof(words, numbers).map((parts) => parts.join('')),
      { maxLength: 20 },
    );
    const cases = fc.record({ texts, descending: fc.boolean(), room: fc.constantFrom(1, 100_000, 100_000_000) });
    await fc.assert(
      fc.asyncProperty(cases, async ({ texts, descending, room }) => {
        const sort = { descending };
        const sorter = new Sorter<SortKey>({ temporaryFolder: () => folder }, { order: keyOrder(sort), room });
        const keys = texts.map((value) => sortKey({ kind: 'string', value }));
        for (const [i, key] of keys.entries()) sorter.add(key, () => String(i));
        const sorted: string[] = [];
        for await (const line of sorter.sorted()) sorted.push(line);
        sorter.close();
        const expected = keys
          .map((key, i) => ({ key, line: String(i) }))
          .sort((a, b) => compareKeys(a.key, b.key, sort));
        expect(sorted).toEqual(expected.map(({ line }) => line));
      }),
      { numRuns: tries(10) },
    );
  });

  it('encodes no line that cannot be among the first', () => {
    const sorter = new Sorter<number>({ temporaryFolder: () => folder }, { order, top: 3 });
    let made = 0;
    for (let i = 0; i < 100_000; i++) {
      sorter.add(i, () => {
        made += 1;
        return String(i);
      });
    }
    expect(made).toBe(1_000);
    sorter.close();
  });
});
