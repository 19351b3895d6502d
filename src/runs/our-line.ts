/** Lines of ours that are no rows. They are known by their first member. */

import type { Node } from '../document/node.ts';
import { memberOf } from '../document/path.ts';
import { META } from '../row/row.ts';

/** Of the first and the last line of a kept review, and the first of a journal. */
export const HEADER_KEY = 'riskcli_review';
export const END_KEY = 'riskcli_review_end';
export const JOURNAL_KEY = 'riskcli_journal';

/** Answers may have members of any name, so a row is told by its own. */
export function isOurLine(node: Node, key: string): boolean {
  if (node.kind !== 'object' || node.members[0]?.[0] !== key) return false;
  return !memberOf(node, META) && !memberOf(node, 'wallet_address');
}
