/**
 * Measures and lays out text in terminal columns. Expects text escaped by `visible()`, without
 * joiners and variation selectors.
 */
import stringWidth from 'string-width';
import wrapAnsi from 'wrap-ansi';

/** Colours take no columns. */
export const displayWidth = (text: string): number => stringWidth(text);

export function padEnd(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - displayWidth(text)));
}

/** `text` moved to the right end of `width` columns. */
export function padStart(text: string, width: number): string {
  return ' '.repeat(Math.max(0, width - displayWidth(text))) + text;
}

/**
 * A cluster that a terminal draws as one: a flag, the letters of a Korean syllable, anything else
 * with its marks and its skin tone (UAX 29, 3.1). Intl.Segmenter takes 30 ms to make, and 60 us for
 * an address.
 */
const CHARACTER = /\p{RI}{2}|[\u1100-\u115f]+[\u1160-\u11ff]*\p{M}*|.[\p{M}\p{EMod}]*/gsu;

/** As many of `characters`, from the first one on, as fit in `width` columns. */
function fitting(characters: Iterable<readonly string[]>, width: number): readonly string[] {
  const fit: string[] = [];
  let used = 0;
  for (const [character = ''] of characters) {
    used += displayWidth(character);
    if (used > width) break;
    fit.push(character);
  }
  return fit;
}

const headOf = (text: string, width: number) => fitting(text.matchAll(CHARACTER), width).join('');
const tailOf = (text: string, width: number) =>
  fitting([...text.matchAll(CHARACTER)].reverse(), width)
    .toReversed()
    .join('');

/** Says that something is left out. In a mail it is ASCII: some programs guess another charset. */
export type Ellipsis = '…' | '...';

/**
 * `text` in at most `width` columns; an ellipsis at its end says that something is left out.
 * cli-truncate 2, the last one that is no module of a default export only, takes some pictures for
 * one column and so exceeds the width.
 */
export function truncate(text: string, width: number, ellipsis: Ellipsis = '…'): string {
  if (displayWidth(text) <= width) return text;
  return headOf(text, Math.max(0, width - ellipsis.length)) + ellipsis.slice(0, Math.max(1, width));
}

/**
 * `text` in at most `width` columns with its middle left out: both ends of an address tell it
 * apart.
 */
export function truncateMiddle(text: string, width: number, ellipsis: Ellipsis = '…'): string {
  if (displayWidth(text) <= width) return text;
  const room = Math.max(0, width - ellipsis.length);
  const tail = Math.floor(room / 2);
  return `${headOf(text, room - tail)}${ellipsis.slice(0, Math.max(1, width))}${tailOf(text, tail)}`;
}

/**
 * `text` in lines of at most `width` columns, broken at spaces; a word too long for a line is cut
 * at its end.
 */
export const wrap = (text: string, width: number): readonly string[] =>
  wrapAnsi(withoutLongGaps(text, width), Math.max(2, width), { hard: true }).split('\n');

/** wrap-ansi takes minutes for very many blanks, of which a line shows as many as fit in it. */
const withoutLongGaps = (text: string, width: number): string =>
  text.replace(/ {3,}/g, (gap) => gap.slice(0, Math.max(2, width)));

/**
 * The same, except that a word too long for a line is not cut but gets its own line, so that it can
 * be copied.
 */
export const wrapWords = (text: string, width: number): readonly string[] =>
  wrapAnsi(text, Math.max(1, width)).split('\n');
