/**
 * Why the service has failed, in its own words. The contract has `{"error": "..."}` (section 2.3) and shows no body of a refusal;
 * frameworks and gateways have forms of their own, and a person who is told nothing looks for the fault in the wrong place.
 */
import type { Node } from '../document/node.ts';
import { parseDocument } from '../document/parse.ts';
import { memberOf } from '../document/path.ts';
import { decodeUtf8 } from '../document/utf8.ts';

/** Where the reason is, the first that has one: of the contract; of FastAPI, of RFC 9457, of OAuth. */
const MEMBERS = ['error', 'message', 'detail', 'msg', 'errors', 'reason', 'error_description', 'description', 'title'];

/** Enough for `{"errors": {"wallet": [{"message": "..."}]}}`. */
const MAX_DEPTH = 5;
/** A longer text that is not JSON is a page or a log. */
const MAX_TEXT_LENGTH = 300;

/** The reason in the body of an answer; undefined where it has none. It is the text of others. */
export function reasonIn(body: Uint8Array): string | undefined {
  let text = '';
  try {
    text = decodeUtf8(body).trim();
    return textIn(parseDocument(text));
  } catch {
    // What begins with < is markup, with { or [ torn JSON.
    return text !== '' && text.length <= MAX_TEXT_LENGTH && !/^[<{[]/.test(text) ? text : undefined;
  }
}

function textIn(node: Node | undefined, depth = 0): string | undefined {
  if (depth > MAX_DEPTH) return undefined;
  if (node?.kind === 'string') return node.value.trim() === '' ? undefined : node.value;
  for (const one of partsOf(node, depth)) {
    const text = textIn(one, depth + 1);
    if (text !== undefined) return text;
  }
  return undefined;
}

/** Below `errors` the members may have any name: those of fields. */
function partsOf(node: Node | undefined, depth: number): readonly (Node | undefined)[] {
  if (node?.kind === 'array') return node.items;
  if (node?.kind !== 'object') return [];
  const named = MEMBERS.map((name) => memberOf(node, name));
  return depth === 0 ? named : [...named, ...node.members.map(([, value]) => value)];
}
