/**
 * The members of `_meta`, the object in which a row has riskcli's own values beside those of the
 * answer. One row of the table for each: output, paths and conditions derive from it, and a test
 * checks that share/schema describes each.
 */
import { type Node, NULL, numberNode, type ObjectNode, textNode } from '../document/node.ts';
import { lookup, type Path } from '../document/path.ts';
import { keptNode } from './kept.ts';
import { inputNode, type Row, type RowError } from './row.ts';
import { verdictsNode } from './verdict.ts';

export interface MetaMember {
  readonly name: string;
  /**
   * How a path may begin with the bare name: a scalar has no members; undefined if a path must
   * begin with `_meta`.
   */
  readonly shortName?: 'scalar' | 'container';
  /** Whether rules decide it, so that a rule cannot ask for it. */
  readonly isDecided?: boolean;
  /** Undefined for a row that does not have it. */
  readonly node: (row: Row) => Node | undefined;
}

const optionalText = (text: string | undefined) => (text === undefined ? undefined : textNode(text));

/** In the order in which rows have them. */
export const META_MEMBERS: readonly MetaMember[] = [
  { name: 'line', shortName: 'scalar', node: ({ line }) => numberNode(line) },
  { name: 'input', shortName: 'container', node: ({ input }) => inputNode(input) },
  { name: 'status', shortName: 'scalar', node: ({ status }) => textNode(status) },
  { name: 'score', shortName: 'scalar', node: ({ score = NULL }) => score },
  { name: 'answered_at', shortName: 'scalar', node: ({ answeredAt }) => optionalText(answeredAt) ?? NULL },
  { name: 'warning', shortName: 'scalar', node: ({ warning }) => optionalText(warning) },
  { name: 'error', node: ({ error }) => error && errorNode(error) },
  { name: 'matched', shortName: 'container', isDecided: true, node: (row) => verdictsNode(row, 'matched') },
  { name: 'unjudged', shortName: 'container', isDecided: true, node: (row) => verdictsNode(row, 'unjudged') },
  { name: 'excused', shortName: 'container', isDecided: true, node: (row) => verdictsNode(row, 'excused') },
  { name: 'watched', shortName: 'container', isDecided: true, node: (row) => verdictsNode(row, 'watched') },
  { name: 'alarms', isDecided: true, node: ({ kept }) => kept && keptNode.alarms(kept) },
  { name: 'not_judged', isDecided: true, node: ({ kept }) => kept && keptNode.notJudged(kept) },
  { name: 'last', isDecided: true, node: ({ kept }) => kept && keptNode.last(kept) },
  { name: 'previous', isDecided: true, node: ({ kept }) => kept && keptNode.previous(kept) },
  { name: 'closed', isDecided: true, node: ({ kept }) => kept && keptNode.closed(kept) },
];

const BY_NAME: ReadonlyMap<unknown, MetaMember> = new Map(META_MEMBERS.map((member) => [member.name, member]));

/** All of `_meta`. */
export function metaNode(row: Row): ObjectNode {
  const members: (readonly [string, Node])[] = [];
  for (const { name, node } of META_MEMBERS) {
    const value = node(row);
    if (value) members.push([name, value]);
  }
  return { kind: 'object', members };
}

/** The value at a path in `_meta`, of which only the member needed is made. */
export function lookupMeta(row: Row, [name, ...inside]: Path): Node | undefined {
  if (name === undefined) return metaNode(row);
  const value = BY_NAME.get(name)?.node(row);
  return value && lookup(value, inside);
}

function errorNode({ code, message, httpStatus }: RowError): ObjectNode {
  const members: (readonly [string, Node])[] = [
    ['code', textNode(code)],
    ['message', textNode(message)],
  ];
  if (httpStatus !== undefined) members.push(['http_status', numberNode(httpStatus)]);
  return { kind: 'object', members };
}
