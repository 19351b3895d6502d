/**
 * Writes an exception into the text of a policy, or takes one out, and leaves all other characters
 * as they are. jsonc-parser finds the place and lays out the new text; its own formatting of an
 * edit would also reformat the rest of the line.
 */
import { applyEdits, type Edit, findNodeAtLocation, format, modify, type Node, parseTree } from 'jsonc-parser';
import type { Excuse } from '../row/verdict.ts';
import type { Exception } from './judge.ts';

/** An exception as a policy has it. */
export type WrittenException = Excuse & Pick<Exception, 'wallet' | 'rule'>;

/**
 * `text`, a valid policy, with `exception` in place of the one at `index`, or after the last one
 * when `index` is undefined.
 */
export function withException(text: string, exception: WrittenException, index: number | undefined): string {
  const neighbour = itemsOf(text).at(index ?? -1);
  const path = neighbour ? ['exceptions', index ?? -1] : ['exceptions'];
  const [edit] = modify(text, path, neighbour ? exception : [exception], {});
  if (!edit) throw new TypeError('a policy without members');
  // A new one is preceded by the same white space as the last one.
  const before = text.slice(0, neighbour?.offset ?? 0);
  const content = edit.content.replace(/^,/, `,${before.slice(before.trimEnd().length)}`);
  return laidOut(text, { ...edit, content }, neighbour && text.slice(neighbour.offset, endOf(neighbour)));
}

/** `text` without the exception at `index`. */
export function withoutException(text: string, index: number): string {
  const items = itemsOf(text);
  const [before, item, after] = [items[index - 1], items[index], items[index + 1]];
  if (!item) throw new TypeError('an exception that is not there');
  if (!before && !after) return applyEdits(text, modify(text, ['exceptions'], [], {}));
  // `modify` leaves a character of the last item behind.
  const [start, end] = before ? [endOf(before), endOf(item)] : [item.offset, after?.offset ?? endOf(item)];
  return applyEdits(text, [{ offset: start, length: end - start, content: '' }]);
}

function itemsOf(text: string): readonly Node[] {
  const tree = parseTree(text);
  return (tree && findNodeAtLocation(tree, ['exceptions'])?.children) ?? [];
}

const endOf = ({ offset, length }: Node) => offset + length;

/**
 * `text` with `edit`, whose exception is laid out like `neighbour`, or else like the whole text.
 */
function laidOut(text: string, edit: Edit, neighbour: string | undefined): string {
  const isOneLine = !(neighbour ?? text.trim()).includes('\n');
  // Compact JSON: only the key `exceptions` that `modify` adds has a space after it.
  if (isOneLine && /":\S/.test(text))
    return applyEdits(text, [{ ...edit, content: edit.content.replace('": [', '":[') }]);
  const edited = applyEdits(text, [edit]);
  const { offset, content } = edit;
  const hasPadding = !isOneLine || neighbour?.startsWith('{ ');
  const start = isOneLine || neighbour ? content.indexOf('{') + (hasPadding ? 0 : 1) : 0;
  const end = hasPadding ? content.length : content.lastIndexOf('}');
  const unit = /^[ \t]{1,8}(?=\S)/m.exec(text)?.[0] ?? '  ';
  const options = { insertSpaces: !unit.includes('\t'), tabSize: unit.length, keepLines: isOneLine };
  return applyEdits(edited, format(edited, { offset: offset + start, length: end - start }, options));
}
