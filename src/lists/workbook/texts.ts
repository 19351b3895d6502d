/**
 * The texts that the cells of a workbook name by their number. All are held while its rows are
 * read, and a million addresses may be among them: joined, they take a byte a character. As an
 * array of strings they take up to 230 MB more.
 */

export interface Texts {
  /** Undefined when no text has this number. */
  get(index: number): string | undefined;
}

interface TextBlock {
  readonly text: string;
  /** Where each text ends. */
  readonly ends: Uint32Array;
}

const BLOCK_TEXTS = 256;

export function createTexts() {
  const blocks: TextBlock[] = [];
  let open: string[] = [];
  return {
    size: () => blocks.length * BLOCK_TEXTS + open.length,
    add(text: string): void {
      open.push(text);
      if (open.length < BLOCK_TEXTS) return;
      blocks.push(join(open));
      open = [];
    },
    get(index: number): string | undefined {
      const block = blocks[Math.floor(index / BLOCK_TEXTS)];
      if (!block) return open[index - blocks.length * BLOCK_TEXTS];
      const at = index % BLOCK_TEXTS;
      return block.text.slice(block.ends[at - 1] ?? 0, block.ends[at]);
    },
  } satisfies Texts & Record<string, unknown>;
}

function join(texts: readonly string[]): TextBlock {
  let end = 0;
  const ends = Uint32Array.from(texts, (text) => {
    end += text.length;
    return end;
  });
  return { text: texts.join(''), ends };
}
