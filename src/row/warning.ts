/**
 * What makes an answer incomplete though it is a 200: services of this kind ask others, and say in fields of their own
 * what they did not get. A row must not look complete when its figures are not.
 */
import { isEmpty, isScalar, type Node, type ObjectNode } from '../document/node.ts';
import { writeCompact } from '../document/write.ts';

/** One line for a table or a cell; the document has all of it. */
const MAX_LENGTH = 500;

/** The fields at the top of `document` that speak of errors or warnings, in a line; undefined when none says anything. */
export function warningOf(document: ObjectNode): string | undefined {
  const told = document.members.filter(([key, node]) => isWarningField(key) && isNonEmpty(node));
  if (told.length === 0) return undefined;
  const line = told.map(([key, node]) => `${key}: ${lineOf(node)}`).join('; ');
  return line.length > MAX_LENGTH ? `${line.slice(0, MAX_LENGTH - 1)}…` : line;
}

const isWarningField = (key: string) =>
  ['error', 'errors', 'warnings'].includes(key) || key.endsWith('_errors') || key.endsWith('_warnings');

/** `{"aave":[],"lido":null}`, `0` and `false` say that nothing went wrong. */
function isNonEmpty(node: Node): boolean {
  if (node.kind === 'object') return node.members.some(([, value]) => isNonEmpty(value));
  if (node.kind === 'array') return node.items.some(isNonEmpty);
  return !isEmpty(node) && writeCompact(node) !== 'false' && writeCompact(node) !== '0';
}

function lineOf(node: Node): string {
  if (node.kind === 'array') return node.items.map(textOf).join(', ');
  if (node.kind !== 'object') return textOf(node);
  return node.members
    .filter(([, value]) => isNonEmpty(value))
    .map(([key, value]) => `${key}: ${textOf(value)}`)
    .join(', ');
}

const textOf = (node: Node) => (isScalar(node) && node.kind === 'string' ? node.value : writeCompact(node));
