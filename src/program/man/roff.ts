/** Text as man(7) macros. The pages use what every man program knows, and no more. */

/** `text` as one line of roff: nothing in it is read as a macro, an escape or a hyphen to break at. */
export function plain(text: string): string {
  const escaped = text.replaceAll('\\', '\\e').replaceAll('-', '\\-').replaceAll('"', '\\(dq');
  return /^[.']/.test(escaped) ? `\\&${escaped}` : escaped;
}

export const section = (heading: string): string => `.SH ${heading}`;
export const subsection = (heading: string): string => `.SS "${plain(heading)}"`;

/** Paragraphs as their author wrapped them; what is indented keeps its lines. */
export function paragraphs(text: string): string[] {
  return text.trim().split(/\n\n+/).flatMap(paragraph);
}

function paragraph(text: string, index: number): string[] {
  const lines = text.split('\n').map(plain);
  const body = /^ /m.test(text) ? ['.nf', ...lines, '.fi'] : lines;
  return index === 0 ? body : ['.PP', ...body];
}

/** A term in bold, and what it means. */
export function item(term: string, meaning: string): string[] {
  return ['.TP', `.B ${plain(term)}`, ...(meaning === '' ? ['\\&'] : meaning.split('\n').map(plain))];
}

/** A line to type, under what it does. */
export function example(line: string, does: string): string[] {
  return ['.PP', `${plain(does)}:`, '.PP', '.nf', `  ${plain(line)}`, '.fi'];
}
