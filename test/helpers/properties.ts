/**
 * fast-check, with values that are the same in each run: a change is judged by what it changes. `RISKCLI_SEED=$RANDOM npm
 * test` draws others.
 */
import fc from 'fast-check';

/** Code points that are halves of a UTF-16 pair, from 0xd800 on. */
const SURROGATES = 0x800;

fc.configureGlobal({ seed: Number(process.env.RISKCLI_SEED ?? 1) });

/** fast-check's own unit `binary` makes a table of all characters first: a second of CPU in each process. */
const character = fc
  .integer({ min: 0, max: 0x10ffff - SURROGATES })
  .map((number) => String.fromCodePoint(number < 0xd800 ? number : number + SURROGATES), toNumber);

/** Text of any characters that UTF-8 can write. */
export const anyText = (constraints: fc.StringSharedConstraints = {}) => fc.string({ unit: character, ...constraints });

function toNumber(text: unknown): number {
  const point = typeof text === 'string' && [...text].length === 1 ? (text.codePointAt(0) ?? -1) : -1;
  const isCharacter = point >= 0 && (point < 0xd800 || point >= 0xd800 + SURROGATES);
  if (!isCharacter) throw new Error('not one character');
  return point < 0xd800 ? point : point - SURROGATES;
}

export { fc };
