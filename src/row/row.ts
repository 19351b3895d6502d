/** A row of a list with its result, as formats render it and gates judge it. */

import {
  isEmpty,
  isScalar,
  type Node,
  NULL,
  numberNode,
  type ObjectNode,
  type ScalarNode,
  textNode,
  textsNode,
} from '../document/node.ts';
import { lookup, type Path } from '../document/path.ts';
import { writeCompact } from '../document/write.ts';
import { beginningOf } from '../text/cut.ts';
import { findScore } from './score.ts';

/** The member of a row that is riskcli's own, beside those of the answer. */
export const META = '_meta';

export const STATUSES = ['scored', 'no_score', 'invalid', 'failed', 'pending'] as const;
export type Status = (typeof STATUSES)[number];

export interface RowError {
  readonly code: string;
  readonly message: string;
  readonly httpStatus?: number;
}

/** A rule that an exception of the policy keeps a wallet from matching. */
export interface Excused {
  readonly rule: string;
  readonly reason: string;
  /** The last day of the exception, YYYY-MM-DD; undefined when it has none. */
  readonly until?: string | undefined;
}

/**
 * The input of a row: its text, the cells of a record under their column names, or an element of
 * JSON as it was.
 */
export type RowInput = string | readonly (readonly [column: string, cell: string])[] | Node;

export interface Row {
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
  /** The names of the rules that it matched; absent when there are no rules. */
  readonly matched?: readonly string[];
  /** The names of the rules that could not be judged for it; absent when there are no rules. */
  readonly unjudged?: readonly string[];
  /** The rules from which it is excused; absent when there is no policy. */
  readonly excused?: readonly Excused[];
  /**
   * The names of the watch rules that hold for it, never in `matched`; absent when there are no
   * such rules.
   */
  readonly watched?: readonly string[];
  /**
   * The names of the rules that stand without being in `matched` or `watched`: they held when they
   * could last be judged, or are excused. Of a review.
   */
  readonly standing?: readonly string[];
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

/** The new name of a service's own member of that name. */
export const RENAMED_META = `service.${META}`;

/**
 * The object that json and jsonl print for `row`, and that --fields and conditions read: the
 * document's members (without an answer the wallet), then `_meta`. A `_meta` of the service becomes
 * `service._meta`: scripts rely on ours, and JSON libraries differ on keys given twice.
 */
export function rowNode(row: Row): ObjectNode {
  const members = row.document
    ? row.document.members.map(([key, value]) => [key === META ? RENAMED_META : key, value] as const)
    : row.wallet === undefined
      ? []
      : [['wallet_address', textNode(row.wallet)] as const];
  return { kind: 'object', members: [...members, [META, metaNode(row)]] };
}

/** `rowNode` as compact JSON. */
export const writeRow = (row: Row) => writeCompact(rowNode(row));

/** The value of `row` at a path, as in `rowNode`, without making that. */
export function findIn(row: Row): Find {
  return (path) => {
    if (path[0] === META) return lookupMeta(row, path.slice(1));
    if (path[0] === RENAMED_META) return lookup(rowNode(row), path);
    if (row.document) return lookup(row.document, path);
    if (path[0] === 'wallet_address' && row.wallet !== undefined) return lookup(textNode(row.wallet), path.slice(1));
    return 'unknown';
  };
}

/** The members of `_meta` in order; undefined for those that a row does not have. */
const META_MEMBERS = new Map<string, (row: Row) => Node | undefined>([
  ['line', ({ line }) => numberNode(line)],
  ['input', ({ input }) => inputNode(input)],
  ['status', ({ status }) => textNode(status)],
  ['score', ({ score = NULL }) => score],
  ['answered_at', ({ answeredAt }) => (answeredAt === undefined ? NULL : textNode(answeredAt))],
  ['warning', ({ warning }) => (warning === undefined ? undefined : textNode(warning))],
  ['error', ({ error }) => error && errorNode(error)],
  ['matched', ({ matched }) => matched && textsNode(matched)],
  ['unjudged', ({ unjudged }) => unjudged && textsNode(unjudged)],
  ['excused', ({ excused }) => excused && { kind: 'array', items: excused.map(excusedNode) }],
  ['watched', ({ watched }) => watched && textsNode(watched)],
  ['standing', ({ standing }) => standing && textsNode(standing)],
]);

function metaNode(row: Row): ObjectNode {
  const members: (readonly [string, Node])[] = [];
  META_MEMBERS.forEach((member, name) => {
    const node = member(row);
    if (node) members.push([name, node]);
  });
  return { kind: 'object', members };
}

/** The value at a path in `metaNode`, of which only the member needed is made. */
function lookupMeta(row: Row, path: Path): Node | undefined {
  const [name, ...inside] = path;
  if (name === undefined) return metaNode(row);
  const node = typeof name === 'string' ? META_MEMBERS.get(name)?.(row) : undefined;
  return node && lookup(node, inside);
}

/** `input` as in `_meta.input`. */
export function inputNode(input: RowInput): Node {
  if (typeof input === 'string') return textNode(input);
  if ('kind' in input) return input;
  return { kind: 'object', members: input.map(([column, cell]) => [column, textNode(cell)] as const) };
}

function errorNode({ code, message, httpStatus }: RowError): ObjectNode {
  const members: (readonly [string, Node])[] = [
    ['code', textNode(code)],
    ['message', textNode(message)],
  ];
  if (httpStatus !== undefined) members.push(['http_status', numberNode(httpStatus)]);
  return { kind: 'object', members };
}

function excusedNode({ rule, reason, until }: Excused): ObjectNode {
  const members = Object.entries({ rule, reason, ...(until !== undefined && { until }) });
  return { kind: 'object', members: members.map(([key, value]) => [key, textNode(value)] as const) };
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
  return line.length > MAX_WARNING_LENGTH ? `${beginningOf(line, MAX_WARNING_LENGTH - 1)}…` : line;
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

/** The values of `fields` by name; undefined for those that `find` does not find. */
export function pick(
  find: Find,
  fields: readonly { readonly name: string; readonly path: Path }[],
): readonly (readonly [string, Node | undefined])[] {
  return fields.map(({ name, path }) => {
    const found = find(path);
    return [name, found === 'unknown' ? undefined : found] as const;
  });
}
