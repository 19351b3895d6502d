/** Every shape of list that grows: hostile ones, each in one direction. */
import { expect, it } from 'vitest';
import { ListError } from '../../../src/errors.ts';
import { openList } from '../../../src/lists/read-list.ts';
import { address } from '../../fixtures/place/wallets.ts';
import { growth, TOO_MUCH } from './cost.ts';

const A = address(1);
const many = (count: number, text: (i: number) => string) => Array.from({ length: count }, (_, i) => text(i)).join('');

interface Shape {
  readonly name: string;
  /** Of a list that takes long enough to be measured on most machines. */
  readonly size: number;
  readonly text: (size: number) => string;
  readonly chunk?: number;
}

const LISTS: readonly Shape[] = [
  {
    name: 'members of an element',
    size: 25_000,
    text: (n) => `[{"address":"${A}"${many(n, (i) => `,"k${i}":${i}`)}}]`,
  },
  { name: 'members with one name', size: 25_000, text: (n) => `[{"address":"${A}"${many(n, () => ',"k":"v"')}}]` },
  {
    name: 'members that are wallets',
    size: 5_000,
    text: (n) => `{"address":"${A}"${many(n, (i) => `,"k${i}":"${address(i)}"`)}}`,
  },
  { name: 'items of an element', size: 50_000, text: (n) => `[{"address":"${A}","a":[0${many(n, () => ',[]')}]}]` },
  {
    name: 'nested elements',
    size: 75,
    text: (n) => `[${many(n, () => `${'['.repeat(900)}${']'.repeat(900)},`)}"${A}"]`,
  },
  { name: 'a nesting without end', size: 125_000, text: (n) => `[${'['.repeat(n)}` },
  { name: 'digits of a number', size: 500_000, text: (n) => `[{"address":"${A}","n":${'1'.repeat(n)}}]` },
  { name: 'a key', size: 500_000, text: (n) => `[{"address":"${A}","${'k'.repeat(n)}":1}]` },
  { name: 'escapes', size: 125_000, text: (n) => `[{"address":"${A}","s":"${'\\u0041'.repeat(n)}"}]` },
  { name: 'white space in an array', size: 1_000_000, text: (n) => `["${A}",${' \n'.repeat(n / 2)}"${A}"]` },
  { name: 'columns', size: 5_000, text: (n) => `address${many(n, (i) => `,c${i}`)}\n${A}${',x'.repeat(n)}\n` },
  { name: 'columns without names', size: 5_000, text: (n) => `${A}${';'.repeat(n)}x\n`.repeat(3) },
  { name: 'columns of one name', size: 5_000, text: (n) => `address${',c'.repeat(n)}\n${A}${',x'.repeat(n)}\n` },
  { name: 'cells beyond the columns', size: 50_000, text: (n) => `address,x\n${A}${',y'.repeat(n)}\n` },
  { name: 'lines of a cell', size: 50_000, text: (n) => `address,note\n${A},"${'x\n'.repeat(n)}"\n` },
  { name: 'quotes', size: 250_000, text: (n) => `address,note\n${A},"${'""'.repeat(n)}"\n` },
  { name: 'blank lines', size: 125_000, text: (n) => `${'\n'.repeat(n)}${A}\n` },
  { name: 'blank lines in CSV', size: 125_000, text: (n) => `address,n\n${'\n'.repeat(n)}${A},1\n` },
  { name: 'comments', size: 25_000, text: (n) => `address,n\n${'# x\n'.repeat(n)}${A},1\n` },
  { name: 'a line', size: 1_000_000, text: (n) => `${A}\n${'x'.repeat(n)}\n` },
  ...(
    [
      ['0x', '0x'],
      ['zeros', '0'],
      ['points', '.'],
      ['addresses', `${A} `],
      ['groups of digits', 'ab12 '],
      ['digits and gaps', 'a '],
      ['pieces of a key', `${'c0ffee12'.repeat(3)} `],
      ['words', 'abandon '],
      ['words that are in no list', 'word, '],
      ['base 58', 'KwdMAjGmer'],
      ['WIF', 'KwdMAjGmerYanjeui5SHS7JkmpZvVipYvB2LJGU1ZxJwYvP98617 '],
      ['white space', ' \t'],
    ] as const
  ).map(([name, piece]): Shape => {
    return { name: `a line of ${name}`, size: 250_000, text: (n) => `${A}\n${piece.repeat(n / piece.length)}.\n` };
  }),
  { name: 'a line byte by byte', size: 12_500, text: (n) => `${'x'.repeat(n)}\n${A}\n`, chunk: 1 },
  { name: 'white space byte by byte', size: 7_500, text: (n) => `${' '.repeat(n)}${A}\n`, chunk: 1 },
  { name: 'an array byte by byte', size: 25_000, text: (n) => `["${A}","${'x'.repeat(n)}"]`, chunk: 1 },
  { name: 'a cell byte by byte', size: 25_000, text: (n) => `address,n\n${A},"${'x\n'.repeat(n / 2)}"\n`, chunk: 1 },
];

async function* chunked(bytes: Uint8Array, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** Reads the list to its end, or to where it is refused. */
async function read({ text, chunk = 1 << 16 }: Shape, size: number): Promise<void> {
  try {
    const { records } = await openList(chunked(Buffer.from(text(size)), chunk), {
      name: 'x',
      checksum: true,
    });
    for await (const _ of records);
  } catch (error) {
    if (!(error instanceof ListError)) throw error;
  }
}

/**
 * Twice the list in CPU time, in multiples of the time for the list. Begins with a tenth or so: it
 * need not be long.
 */
const growthOf = (shape: Shape): Promise<number> =>
  growth((size) => read(shape, size), 16 * Math.ceil(shape.size / 160));

it.each(LISTS)('takes at most 2.5 times the CPU for twice the list: $name', async (shape) => {
  expect(await growthOf(shape)).toBeLessThanOrEqual(TOO_MUCH);
});
