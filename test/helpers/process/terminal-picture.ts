/** What stands on a terminal as a picture, for documents: SVG, since it is text, small, and sharp at any size. */
import { displayWidth } from '../../../src/text/width.ts';

const [CHARACTER, LINE, PADDING] = [8.4, 20, 18];
/** SGR, ECMA-48: what riskcli uses of it. */
const STYLES: Readonly<Record<string, string>> = { '1': 'font-weight="700"', '2': 'fill="#98a1a9"' };

const escaped = (text: string) => text.replace(/[&<>]/g, (found) => `&#${found.charCodeAt(0)};`);

/** `output` as `command` printed it in a terminal of so many columns. */
export function terminalPicture(command: string, output: string, columns: number): string {
  const lines = [`\u001b[2m$\u001b[22m ${command}`, ...output.trimEnd().split('\n')];
  const [width, height] = [columns * CHARACTER + 2 * PADDING, lines.length * LINE + 2 * PADDING - 4];
  const texts = lines.map((line, i) => lineText(line, PADDING + 12 + i * LINE)).filter(Boolean);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${Math.ceil(width)}" height="${height}" role="img" aria-label="${escaped(command)}">`,
    `<rect width="100%" height="100%" rx="8" fill="#15181b"/>`,
    `<g font-family="ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14" fill="#e9e7e3">`,
    ...texts,
    '</g>',
    '</svg>\n',
  ].join('\n');
}

/** Each piece of a line stands where its columns begin, whatever the font's width is. */
function lineText(line: string, y: number): string {
  let [column, style] = [0, ''];
  const pieces = line.split('\u001b[').flatMap((part, i) => {
    const [, codes = '', text = part] = i === 0 ? [] : (/^([\d;]*)m(.*)$/.exec(part) ?? []);
    if (i > 0) style = STYLES[codes] ?? '';
    const x = PADDING + column * CHARACTER;
    const width = displayWidth(text);
    column += width;
    if (text.trim() === '') return [];
    const length = `textLength="${(width * CHARACTER).toFixed(1)}"`;
    return `<text x="${x.toFixed(1)}" y="${y}" xml:space="preserve" ${length}${style && ` ${style}`}>${escaped(text)}</text>`;
  });
  return pieces.join('');
}
