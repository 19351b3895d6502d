/**
 * Writes an exception into the text of a policy, or takes one out, and leaves all other characters
 * as they are: jsonc-parser says where its values begin and end. Its own edits would lay out the
 * neighbours again.
 */
import { findNodeAtLocation, type Node, parseTree } from 'jsonc-parser';

/** An exception as a policy has it. */
export interface WrittenException {
  readonly wallet: string;
  readonly rule: string;
  readonly reason: string;
  readonly until?: string | undefined;
}

/**
 * `text`, a valid policy, with `exception` in place of the one at `index`, or else behind the last.
 */
export function withException(text: string, exception: WrittenException, index: number | undefined): string {
  const items = itemsOf(text);
  const old = index === undefined ? undefined : items[index];
  if (old) return edited(text, old, exceptionText(exception, styleAt(text, old)));
  const last = items.at(-1);
  if (last) return addedBehind(text, last, exceptionText(exception, styleAt(text, last)));
  return withFirst(text, exception);
}

/** `text` without the exception at `index`. */
export function withoutException(text: string, index: number): string {
  const items = itemsOf(text);
  const [before, item, after] = [items[index - 1], items[index], items[index + 1]];
  if (!item) throw new TypeError('an exception that is not there');
  // Removes the comma and the space on one side as well; for the only exception, everything between
  // the brackets.
  if (before) return edited(text, textSpan(endOf(before), endOf(item)), '');
  if (after) return edited(text, textSpan(item.offset, after.offset), '');
  const all = findNodeAtLocation(treeOf(text), ['exceptions']);
  return all ? edited(text, all, '[]') : text;
}

/** Adds the first exception: the list is empty or missing. */
function withFirst(text: string, exception: WrittenException): string {
  const tree = treeOf(text);
  const empty = findNodeAtLocation(tree, ['exceptions']);
  // A member of an object is a node of its own, which begins at its key.
  const member = empty?.parent ?? tree.children?.at(-1);
  if (!member) throw new TypeError('a policy without members');
  const style = styleAt(text, member);
  const isLaidOut = text.trim().includes('\n');
  const inner = style.indent + style.unit;
  const item = exceptionText(exception, { ...style, indent: inner, isOneLine: !isLaidOut });
  const list = isLaidOut ? `[${style.eol}${inner}${item}${style.eol}${style.indent}]` : `[${item}]`;
  return empty ? edited(text, empty, list) : addedBehind(text, member, `"exceptions":${style.space}${list}`);
}

interface TextSpan {
  readonly offset: number;
  readonly length: number;
}

const endOf = ({ offset, length }: TextSpan) => offset + length;
const textSpan = (offset: number, end: number): TextSpan => ({ offset, length: end - offset });

const edited = (text: string, span: TextSpan, content: string) =>
  text.slice(0, span.offset) + content + text.slice(endOf(span));

/** Preceded by the same white space as its neighbour. */
const addedBehind = (text: string, neighbour: Node, content: string) =>
  edited(text, textSpan(endOf(neighbour), endOf(neighbour)), `,${spaceBefore(text, neighbour)}${content}`);

function treeOf(text: string): Node {
  const tree = parseTree(text);
  if (!tree) throw new TypeError('a policy that was read is JSON');
  return tree;
}

const itemsOf = (text: string): readonly Node[] => findNodeAtLocation(treeOf(text), ['exceptions'])?.children ?? [];

const spaceBefore = (text: string, { offset }: TextSpan) => /\s*$/.exec(text.slice(0, offset))?.[0] ?? '';

interface Style {
  readonly isOneLine: boolean;
  readonly eol: string;
  /** The indentation of its lines, and of one level more. */
  readonly indent: string;
  readonly unit: string;
  /** What follows a colon, and the braces of an object on one line. */
  readonly space: string;
  readonly padding: string;
}

/** How the author has laid out `value`. */
function styleAt(text: string, value: TextSpan): Style {
  const own = text.slice(value.offset, endOf(value));
  return {
    isOneLine: !own.includes('\n'),
    eol: text.includes('\r\n') ? '\r\n' : '\n',
    indent: /(?:^|\n)([ \t]*)[^\n]*$/.exec(text.slice(0, value.offset))?.[1] ?? '',
    unit: /^[ \t]+/m.exec(text)?.[0] ?? '  ',
    space: /":\S/.test(text) ? '' : ' ',
    padding: /^\{ +"/.test(own) ? ' ' : '',
  };
}

function exceptionText(exception: WrittenException, { isOneLine, eol, indent, unit, space, padding }: Style): string {
  const known = Object.entries(exception).filter(([, value]) => value !== undefined);
  const members = known.map(([name, value]) => `"${name}":${space}${JSON.stringify(value)}`);
  if (isOneLine) return `{${padding}${members.join(`,${space}`)}${padding}}`;
  return `{${eol}${members.map((member) => indent + unit + member).join(`,${eol}`)}${eol}${indent}}`;
}
