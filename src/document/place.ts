/** Where in the text of a JSON document something is, for messages to whoever wrote it. */
import { formatPath, type Path } from './path.ts';

/** `line 3, column 16`, both from 1, of a position in `text`. */
export function lineAndColumn(text: string, offset: number): string {
  const before = text.slice(0, offset).split('\n');
  return `line ${before.length}, column ${(before.at(-1) ?? '').length + 1}`;
}

const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

/** Where the value at `path` begins in `text`, a valid document; if it is missing, where its nearest parent begins. */
export function offsetOf(text: string, path: Path): number {
  const wanted = new Set(path.map((_, i) => formatPath(path.slice(0, i + 1))));
  let found = { length: 0, offset: 0 };
  /** The key or position at which each open container is. */
  const open: (string | number)[] = [];
  let isKey = false;
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    const last = open.length - 1;
    const position = open[last];
    if (token === '}' || token === ']') open.pop();
    else if (token === ',' && typeof position === 'number') open[last] = position + 1;
    else if (token === ',') isKey = true;
    else if (token === ':') isKey = false;
    else if (isKey && typeof position === 'string') open[last] = JSON.parse(token);
    else {
      if (open.length > found.length && wanted.has(formatPath(open))) found = { length: open.length, offset: index };
      isKey = token === '{';
      if (token === '{') open.push('');
      if (token === '[') open.push(0);
    }
  }
  return found.offset;
}
