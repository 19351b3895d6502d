/** A row of a list with its result, as formats render it and gates judge it. */

import { isEmpty, isScalar, type Node, type ObjectNode, type ScalarNode, textNode } from '../document/node.ts';
import type { Path } from '../document/path.ts';
import { writeCompact } from '../document/write.ts';
import { beginningOf } from '../text/cut.ts';
import type { KeptMeta } from './kept.ts';
import { findScore } from './score.ts';
import type { Judged } from './verdict.ts';

/** The member of a row that is riskcli's own, beside those of the answer. */
export const META = '_meta';

export const STATUSES = ['scored', 'no_score', 'invalid', 'failed', 'pending'] as const;
export type Status = (typeof STATUSES)[number];

export interface RowError {
  readonly code: string;
  readonly message: string;
  readonly httpStatus?: number;
}

/**
 * The input of a row: its text, the cells of a record under their column names, or an element of
 * JSON as it was.
 */
export type RowInput = string | readonly (readonly [column: string, cell: string])[] | Node;

export interface Row extends Judged {
  /** The line on which the record began, from 1; for wallet arguments their position. */
  readonly line: number;
  readonly input: RowInput;
  /** The input's own columns, as csv carries them; absent when the list has none. */
  readonly cells?: readonly string[];
  /** The wallet requested; undefined when the input is not one. */
  readonly wallet?: string;
  readonly status: Status;
  /** The service's answer; absent on rows without one. */
  readonly document?: ObjectNode;
  /** The headline score; absent when there is none. */
  readonly score?: ScalarNode;
  /** Paths of numbers that may be the score, when nothing says which one is. */
  readonly candidates?: readonly string[];
  /** When the answer arrived, ISO 8601 UTC. */
  readonly answeredAt?: string;
  /** Why the answer is incomplete; absent when it is complete. */
  readonly warning?: string;
  readonly error?: RowError;
  /** The members that a review adds; absent in other runs. */
  readonly kept?: KeptMeta;
}

/**
 * The value of a row at a path; undefined when it has none, and `unknown` when the wallet has no
 * answer.
 */
export type Find = (path: Path) => Node | 'unknown' | undefined;

/** `input` as the text of one cell. */
export function inputText(input: RowInput): string {
  if (typeof input === 'string') return input;
  if (!('kind' in input)) return input.map(([, cell]) => cell).join(' ');
  return isEmpty(input) ? '' : writeCompact(input);
}

/** The status, score and warning of an answer; `scorePath` is the setting `score`. */
export function classify(
  document: ObjectNode,
  scorePath?: Path,
): Pick<Row, 'status' | 'score' | 'candidates' | 'warning'> {
  const { score, candidates } = findScore(document, scorePath);
  const warning = warningOf(document);
  return score ? { status: 'scored', score, warning } : { status: 'no_score', candidates, warning };
}

/** `input` as in `_meta.input`. */
export function inputNode(input: RowInput): Node {
  if (typeof input === 'string') return textNode(input);
  if ('kind' in input) return input;
  return { kind: 'object', members: input.map(([column, cell]) => [column, textNode(cell)] as const) };
}

/** Characters of a warning, for one line or cell; the document has all of it. */
const MAX_WARNING_LENGTH = 500;

/**
 * Why an answer is incomplete although it is a 200, in a line: services of this kind ask others,
 * and report in top-level fields of `document` what they did not get. Undefined when these are
 * absent or empty.
 */
function warningOf(document: ObjectNode): string | undefined {
  const reported = document.members.filter((member) => WARNING_FIELD.test(member[0]) && isNonEmpty(member[1]));
  if (reported.length === 0) return undefined;
  const line = reported.map(([key, node]) => `${key}: ${warningText(node)}`).join('; ');
  return line.length > MAX_WARNING_LENGTH ? `${beginningOf(line, MAX_WARNING_LENGTH - 3)}...` : line;
}

const WARNING_FIELD = /^(?:error|(?:.*_)?(?:errors|warnings))$/s;

/** `{"aave":[],"lido":null}`, `0` and `false` mean that nothing went wrong. */
function isNonEmpty(node: Node): boolean {
  if (node.kind === 'object') return node.members.some(([, value]) => isNonEmpty(value));
  if (node.kind === 'array') return node.items.some(isNonEmpty);
  return !isEmpty(node) && writeCompact(node) !== 'false' && writeCompact(node) !== '0';
}

function warningText(node: Node): string {
  if (node.kind === 'array') return node.items.map(nodeText).join(', ');
  if (node.kind !== 'object') return nodeText(node);
  return node.members
    .filter(([, value]) => isNonEmpty(value))
    .map(([key, value]) => `${key}: ${nodeText(value)}`)
    .join(', ');
}

const nodeText = (node: Node) => (isScalar(node) && node.kind === 'string' ? node.value : writeCompact(node));
