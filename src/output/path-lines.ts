/** One document for `grep`, `cut` and `awk`: a line `path<TAB>value` for every value, with no grouping and nothing cut. */
import { isScalar, type Node } from '../document/node.ts';
import { leaves } from '../document/path.ts';
import { writeCompact } from '../document/write.ts';
import { visible } from '../text/escape.ts';

/** Every scalar of `node`, in the document's order, with the path that --fields takes; null is `null`. */
export function pathLines(node: Node): string {
  let text = '';
  for (const leaf of leaves(node)) text += `${visible(leaf.path)}\t${lineText(leaf.node)}\n`;
  return text;
}

/** `node` as JSON but for strings, which are bare; on one line, safe for a terminal. */
export function lineText(node: Node): string {
  return isScalar(node) && node.kind === 'string' ? visible(node.value) : writeCompact(node);
}
