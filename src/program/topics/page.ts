import { wrapped } from '../../text/words.ts';

/** A page of docs/ as lines for a terminal. The build parses its Markdown into these blocks (.config/documents.mjs). */
export type Block =
  | { readonly kind: 'heading'; readonly level: number; readonly text: string }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'list'; readonly items: readonly string[] }
  | { readonly kind: 'code'; readonly lines: readonly string[] }
  | { readonly kind: 'table'; readonly head: readonly string[]; readonly rows: readonly (readonly string[])[] };

/** `blocks` on lines of at most `width` columns; lines of code, and words that are longer, stay whole. */
export function renderPage(blocks: readonly Block[], width: number): string {
  const pieces = blocks.map((block) => linesOf(block, width).join('\n'));
  return `${pieces.join('\n\n')}\n`;
}

function linesOf(block: Block, width: number): readonly string[] {
  switch (block.kind) {
    case 'heading':
      return [block.level === 1 ? block.text.toUpperCase() : block.text];
    case 'text':
      return wrapped(block.text, width);
    case 'list':
      return block.items.flatMap((item) => indented(wrapped(item, width - 4), '  - ', '    '));
    case 'code':
      return block.lines.flatMap((line) => codeLines(line.replaceAll('[..]', '...'), width));
    case 'table':
      return tableLines(block.head, block.rows, width);
  }
}

/** A line of code or of output: a command is broken before an option, an operator or an address; other lines are cut. */
export function codeLines(line: string, width: number, isCommand = /^\$ |riskcli .*-/.test(line)): readonly string[] {
  if (line.length + 2 <= width) return [`  ${line}`.trimEnd()];
  if (!isCommand) return [`  ${line.slice(0, width - 5)}...`];
  const at =
    [...line.slice(0, width - 4).matchAll(/ (?=-|\||&&|>|\{|0x)/g)]
      .map(({ index }) => index)
      .findLast((index) => OUTSIDE_QUOTES.test(line.slice(0, index))) ?? -1;
  if (at <= 4) return [`  ${line}`];
  return [`  ${line.slice(0, at)} \\`, ...codeLines(`    ${line.slice(at + 1)}`, width, true)];
}

/** A line may be broken only outside quotes: inside, the backslash and the line end would be text. */
const OUTSIDE_QUOTES = /^(?:[^'"]|'[^']*'|"[^"]*")*$/;

/** In columns if they fit, the last one wrapped; otherwise each row as its first cell, with the named others below. */
function tableLines(head: readonly string[], rows: readonly (readonly string[])[], width: number): readonly string[] {
  const widths = head.map((_, i) => Math.max(...rows.map((row) => row[i]?.length ?? 0)));
  const before = widths.slice(0, -1).reduce((sum, one) => sum + one + 2, 2);
  if (width - before < MIN_LAST_COLUMN || head.length > 3) return rows.flatMap((row) => namedCells(head, row, width));
  return rows.flatMap((row) => {
    const first = row.slice(0, -1).map((cell, i) => cell.padEnd(widths[i] ?? 0));
    return indented(wrapped(row.at(-1) ?? '', width - before), `  ${first.join('  ')}  `, ' '.repeat(before));
  });
}

const MIN_LAST_COLUMN = 30;

function namedCells(
  head: readonly string[],
  [first = '', ...rest]: readonly string[],
  width: number,
): readonly string[] {
  const cells = rest.flatMap((cell, i) => {
    const name = head[i + 1] ? `${head[i + 1]}: ` : '';
    return cell === '' ? [] : indented(wrapped(name + cell, width - 6), '    ', '      ');
  });
  return [...indented(wrapped(first || `(${head[1]})`, width - 2), '  ', '  '), ...cells];
}

const indented = (lines: readonly string[], first: string, next: string) =>
  lines.map((line, i) => `${i === 0 ? first : next}${line}`.trimEnd());
