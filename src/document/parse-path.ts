/**
 * Parses a path that was typed. Separate from path.ts, which the page of a report bundles without
 * this and its errors.
 */
import { UsageError } from '../errors.ts';
import { quoted } from '../secrets/redact.ts';
import type { Path } from './path.ts';

/**
 * The path that `text` spells.
 * @throws UsageError when it is not a path
 */
export function parsePath(text: string): Path {
  const path: (string | number)[] = [];
  const step = /(?:^|(?<!^)\.)([^.[\],="]+)|\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]/sy;
  while (step.lastIndex < text.length) {
    const at = step.lastIndex;
    const found = step.exec(text);
    if (!found) throw pathError(text, at);
    const [, bare, position, key] = found;
    if (position !== undefined) path.push(Number(position));
    else path.push(key === undefined ? (bare ?? '') : unquoteKey(text, { key, at }));
  }
  if (path.length === 0) throw pathError(text, 0);
  return path;
}

/** The path that the name of a column spells; a name that is not a path is one step. */
export function pathOfName(name: string): Path {
  try {
    return parsePath(name);
  } catch (error) {
    if (error instanceof UsageError) return [name];
    throw error;
  }
}

function unquoteKey(text: string, { key, at }: { readonly key: string; readonly at: number }): string {
  try {
    return JSON.parse(key);
  } catch {
    throw pathError(text, at);
  }
}

function pathError(text: string, at: number): UsageError {
  const where = at === 0 ? '' : ` (see character ${at + 1})`;
  return new UsageError(`${quoted(text)} is not a path${where}`, {
    hint: 'write it like a.b[0].c, and put a key that contains . [ ] , = or " in brackets: ["a.b"]',
  });
}
