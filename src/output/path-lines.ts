/** One document for `grep`, `cut` and `awk`: a line `path<TAB>value` for every value, with no grouping and nothing cut. */
import { isScalar, type Node } from '../document/node.ts';
import { leaves } from '../document/path.ts';
import { writeCompact } from '../document/write.ts';
import { documentPathText } from '../row/paths/row-path.ts';
import { visible } from '../text/escape.ts';

/** Lines are collected up to about this many characters: a block is written at once, and between two a signal is heard. */
const BLOCK_LENGTH = 64 * 1024;

/** Every scalar of `node`, in the document's order, with the path that --fields takes; null is `null`. In blocks of whole lines. */
export function* pathLines(node: Node): Generator<string> {
  let block = '';
  for (const leaf of leaves(node)) {
    block += `${visible(documentPathText(leaf.path))}\t${lineText(leaf.node)}\n`;
    if (block.length < BLOCK_LENGTH) continue;
    yield block;
    block = '';
  }
  if (block !== '') yield block;
}

/** `node` as JSON but for strings, which are bare; on one line, safe for a terminal. */
export function lineText(node: Node): string {
  return isScalar(node) && node.kind === 'string' ? visible(node.value) : writeCompact(node);
}
