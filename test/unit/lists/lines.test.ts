import { expect, it } from 'vitest';
import { checkLength, MAX_RECORD, readLines } from '../../../src/lists/lines.ts';

/** The lines of what comes in these blocks, batch by batch. */
async function batches(...blocks: readonly string[]) {
  const all: string[][] = [];
  async function* source() {
    yield* blocks;
  }
  for await (const batch of readLines(source()))
    all.push(batch.map(({ line, text, isOpen }) => `${line}${isOpen ? '?' : ' '}${text}`));
  return all;
}

it.each<[string, readonly string[], readonly (readonly string[])[]]>([
  ['a line feed at the end', ['a\nb\n'], [['1 a', '2 b']]],
  ['none at the end', ['a\nb'], [['1 a'], ['2?b']]],
  ['a line in three blocks', ['a\nb', 'c', 'd\ne\n'], [['1 a'], ['2 bcd', '3 e']]],
  ['nothing', [''], []],
  ['the two of a line end in two blocks', ['ab\r', '\nc\n'], [['1 ab\r', '2 c']]],
  ['the two of a line end around a block of nothing', ['ab\r', '', '\nc\n'], [['1 ab\r', '2 c']]],
  ['a carriage return within a line', ['ab\nc\rd\n'], [['1 ab', '2 c\rd']]],
])('reads lines in batches that are not empty: %s', async (_, blocks, expected) => {
  expect(await batches(...blocks)).toEqual(expected);
});

it('reads a million blank lines in a row', async () => {
  async function* blanks(count: number) {
    for (let i = 0; i < count; i += 10_000) yield '\n'.repeat(10_000);
  }
  async function* source() {
    yield* blanks(1_000_000);
    yield 'x\n';
    yield* blanks(1_000_001);
  }
  let count = 0;
  const all = async () => {
    for await (const batch of readLines(source())) count += batch.length;
  };
  const message = 'more than 1000000 blank lines in a row';
  const hint = 'check that this is a wallet list: one address on each line, CSV or JSON';
  await expect(all()).rejects.toMatchObject({ message, line: 2_000_002, hint });
  expect(count).toBe(2_000_001);
});

it('reads a line as long as a record', () => {
  expect(() => checkLength(MAX_RECORD)).not.toThrow();
  expect(() => checkLength(MAX_RECORD + 1)).toThrow('it is longer than 16777216 characters');
});
