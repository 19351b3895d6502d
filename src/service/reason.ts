/**
 * The reason that the service gives for a failure. The service documents `{"error": "..."}`
 * (docs/service.md, Errors), but no body for a refusal; frameworks and gateways use other forms.
 * Without the reason a person looks for the fault in the wrong place.
 */
import type { Node } from '../document/node.ts';
import { parseDocument } from '../document/parse.ts';
import { memberOf } from '../document/path.ts';
import { decodeUtf8 } from '../document/utf8.ts';

/**
 * Members that may hold the reason, from the service, FastAPI, RFC 9457 and OAuth. The first one
 * that holds text is used.
 */
const REASON_MEMBERS = [
  'error',
  'message',
  'detail',
  'msg',
  'errors',
  'reason',
  'error_description',
  'description',
  'title',
];

/** Enough for `{"errors": {"wallet": [{"message": "..."}]}}`. */
const MAX_NESTING = 5;
/** A longer text that is not JSON is a page or a log. */
const MAX_REASON_LENGTH = 300;

/** The reason in the body of an answer, if it has one. It is untrusted text. */
export function reasonIn(body: Uint8Array): string | undefined {
  let text = '';
  try {
    text = decodeUtf8(body).trim();
    return reasonText(parseDocument(text));
  } catch {
    // A text that begins with < is markup; one that begins with { or [ is JSON that was cut short.
    return text !== '' && text.length <= MAX_REASON_LENGTH && !/^[<{[]/.test(text) ? text : undefined;
  }
}

function reasonText(node: Node | undefined, depth = 0): string | undefined {
  if (depth > MAX_NESTING) return undefined;
  if (node?.kind === 'string') return node.value.trim() === '' ? undefined : node.value;
  for (const one of candidatesOf(node, depth)) {
    const text = reasonText(one, depth + 1);
    if (text !== undefined) return text;
  }
  return undefined;
}

/** Below the first level a member may have any name, such as that of a field. */
function candidatesOf(node: Node | undefined, depth: number): readonly (Node | undefined)[] {
  if (node?.kind === 'array') return node.items;
  if (node?.kind !== 'object') return [];
  const named = REASON_MEMBERS.map((name) => memberOf(node, name));
  return depth === 0 ? named : [...named, ...node.members.map(([, value]) => value)];
}
