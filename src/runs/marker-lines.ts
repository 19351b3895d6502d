/** Lines that riskcli writes besides rows. They are known by their first member. */

import type { Node } from '../document/node.ts';
import { parseDocument } from '../document/parse.ts';
import { memberOf } from '../document/path.ts';
import { DocumentSyntaxError } from '../document/utf8.ts';
import { META } from '../row/row.ts';

/** The first and the last line of a kept review. */
export const REVIEW_HEADER_KEY = 'riskcli_review';
export const REVIEW_END_KEY = 'riskcli_review_end';
/** The first line of a journal. */
export const JOURNAL_KEY = 'riskcli_journal';
/** The lines of a kept review for wallets that left the list. */
export const REMOVED_KEY = 'riskcli_removed';

/** Answers may have members of any name, so a row is known by `_meta` or its wallet. */
export function isMarkerLine(node: Node, key: string): boolean {
  if (node.kind !== 'object' || node.members[0]?.[0] !== key || memberOf(node, META)) return false;
  return key === REMOVED_KEY || !memberOf(node, 'wallet_address');
}

/** Parses a line, or a whole file. Returns the document, or what is wrong with it. */
export function tryParse(text: string): Node | DocumentSyntaxError {
  try {
    return parseDocument(text);
  } catch (fault) {
    if (fault instanceof DocumentSyntaxError) return fault;
    throw fault;
  }
}
