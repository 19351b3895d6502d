/**
 * The shared strings of a workbook, which cells name by their number (ECMA-376, part 1, 18.4). All
 * are held while its rows are read, and a million addresses may be among them: joined, they take a
 * byte a character. As an array of strings they take up to 230 MB more.
 */
import { checkLength } from '../lines.ts';
import { type Archive, MB, tooLarge, torn } from './archive.ts';
import { parseWhole } from './xml.ts';

export interface SharedStrings {
  /** Undefined when no string has this number. */
  get(index: number): string | undefined;
}

/** Bytes of the unpacked part, which is held in memory: a million addresses take 58 MB. */
const MAX_BYTES = 192 * MB;
const MAX_STRINGS = 10_000_000;

/** @throws ListSyntaxError */
export async function readSharedStrings(part: string | undefined, archive: Archive): Promise<SharedStrings> {
  const strings = createStrings();
  // Some programs name parts that they leave out if no cell needs them.
  if (part === undefined || !archive.has(part)) return strings;
  const reader = createTextReader();
  await parseWhole(archive.read(part, MAX_BYTES), {
    open(name) {
      if (name === 'si') reader.begin();
      else reader.open(name);
    },
    text: reader.text,
    close(name) {
      reader.close(name);
      if (name !== 'si') return;
      if (strings.size() === MAX_STRINGS) throw tooLarge();
      const text = reader.take();
      if (text === undefined) throw torn(`shared string ${strings.size()} has text in an unknown place`);
      strings.add(text);
    },
  });
  return strings;
}

const BLOCK_STRINGS = 256;

function createStrings() {
  const blocks: ReturnType<typeof join>[] = [];
  let open: string[] = [];
  return {
    size: () => blocks.length * BLOCK_STRINGS + open.length,
    add(text: string): void {
      open.push(text);
      if (open.length < BLOCK_STRINGS) return;
      blocks.push(join(open));
      open = [];
    },
    get(index: number): string | undefined {
      const block = blocks[Math.floor(index / BLOCK_STRINGS)];
      if (!block) return open[index - blocks.length * BLOCK_STRINGS];
      const at = index % BLOCK_STRINGS;
      return block.text.slice(block.ends[at - 1] ?? 0, block.ends[at]);
    },
  };
}

function join(strings: readonly string[]) {
  let end = 0;
  const ends = Uint32Array.from(strings, (text) => {
    end += text.length;
    return end;
  });
  return { text: strings.join(''), ends };
}

/**
 * The text of an `si` or `is` element: its runs, whatever their looks, without the phonetic guide
 * of Japanese.
 */
export function createTextReader() {
  let text = '';
  let isText = false;
  let isGuide = false;
  let hasOther = false;
  return {
    begin() {
      text = '';
      isText = false;
      isGuide = false;
      hasOther = false;
    },
    open(name: string) {
      if (name === 'rPh') isGuide = true;
      isText = name === 't';
    },
    text(part: string) {
      if (isGuide) return;
      if (!isText) {
        hasOther ||= part.trim() !== '';
        return;
      }
      checkLength(text.length + part.length);
      text += part;
    },
    close(name: string) {
      if (name === 'rPh') isGuide = false;
      isText = false;
    },
    /** Undefined when there is text that is in no `t` element. */
    take: () => (hasOther ? undefined : unescapeText(text)),
  };
}

/** Characters that XML cannot hold are written as `_x000D_` (ECMA-376, part 1, 22.9.2.19). */
export const unescapeText = (text: string): string =>
  text.includes('_x')
    ? text.replace(/_x([0-9a-f]{4})_/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    : text;
