import { expect, it } from 'vitest';
import { type Chunk, type RowWriter, writeRows } from '../../../src/files/sink.ts';

const TEXT: RowWriter<string> = {
  head: () => '[',
  row: (row) => row,
  foot: ({ counts }) => `]${counts.all}`,
};
/** One that packs, as a workbook is: it works on, and holds rows back. */
const PACKED: RowWriter<string> = {
  head: () => Uint8Array.of(0xff),
  row: async (row) => (row === 'held' ? '' : Buffer.from(row)),
  flush: () => 'held',
  foot: async () => Uint8Array.of(0xfe),
};

/** What `rows` and an end leave, and whether it was put in place. */
async function output(writer: RowWriter<string>, rows: readonly string[], stop?: unknown) {
  const chunks: Uint8Array[] = [];
  const left = { bytes: '', isInPlace: false };
  const target = {
    write: async (chunk: Chunk) => void chunks.push(Buffer.from(chunk)),
    commit: async () => void Object.assign(left, { isInPlace: true }),
    discard() {},
  };
  const sink = writeRows(target, writer);
  for (const row of rows) await sink.row(row);
  if (rows.includes('held')) await sink.flush();
  await sink.end({ stop, counts: { all: rows.length } });
  return { ...left, bytes: Buffer.concat(chunks).toString('latin1') };
}

it.each<[string, RowWriter<string>, readonly string[], unknown, string, boolean]>([
  ['a whole output', TEXT, ['a', 'b'], undefined, '[ab]2', true],
  ['one without rows', TEXT, [], undefined, '[]0', true],
  ['one that was stopped has its end, and is not put in place', TEXT, ['a'], 'a signal', '[a]1', false],
  ['one that was stopped before its first row has nothing', TEXT, [], 'a signal', '', false],
  ['one of bytes, made while the list goes on', PACKED, ['a', 'held'], undefined, '\xffaheld\xfe', true],
])('writes %s', async (_, writer, rows, stop, bytes, isInPlace) => {
  expect(await output(writer, rows, stop)).toEqual({ bytes, isInPlace });
});
