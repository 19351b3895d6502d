/**
 * Levels: fields with few values that are words, such as `Medium Risk`. A review reports wallets whose level changed. The fields are
 * found in the earlier answers.
 */
import { isScalar, type Node, type ObjectNode } from '../../document/node.ts';
import { formatPath, lookup, type Path } from '../../document/path.ts';
import { ownCopy } from '../../text/own-copy.ts';

/** Answers examined for levels. */
export const LEVEL_ANSWERS = 500;
const MAX_VALUES = 12;
/** Fields examined at most: keys may be addresses, or hostile. */
const MAX_FIELDS = 1_000;
const MAX_LEVELS = 5;
const MAX_DEPTH = 4;
/** A longer value, or one with other characters, is a text, a name or a time. */
const LEVEL = /^\p{L}[\p{L} _-]{0,29}$/u;

interface LevelCandidate {
  readonly path: Path;
  readonly values: Map<string, number>;
  /** Hash of the values' numbers, answer by answer: fields with equal fingerprints say the same in other words. */
  fingerprint: number;
}

/** The paths of the first MAX_LEVELS levels in `documents`. */
export function findLevels(documents: Iterable<ObjectNode>): readonly Path[] {
  const fields = new Map<string, LevelCandidate>();
  const others = new Set<string>();
  let answer = 0;
  for (const document of documents) {
    answer += 1;
    for (const { path, node } of scalarsIn(document, [])) {
      const name = ownCopy(formatPath(path));
      if (others.has(name)) continue;
      let field = fields.get(name);
      if (!field && fields.size + others.size < MAX_FIELDS) {
        field = { path: path.map(ownCopy), values: new Map(), fingerprint: 0 };
        fields.set(name, field);
      }
      if (!field || observe(field, node, answer)) continue;
      others.add(name);
      fields.delete(name);
    }
  }
  const found = [...fields.values()].filter(({ values }) => values.size > 0);
  const isFirst = ({ fingerprint, values }: LevelCandidate, i: number) =>
    values.size === 1 || found.findIndex((other) => other.fingerprint === fingerprint) === i;
  return found
    .filter(isFirst)
    .slice(0, MAX_LEVELS)
    .map(({ path }) => path);
}

/** Counts a value of the field. @returns whether it may still be a level */
function observe(field: LevelCandidate, node: Node, answer: number): boolean {
  if (node.kind === 'literal' && node.value === null) return true;
  if (node.kind !== 'string' || !LEVEL.test(node.value)) return false;
  const number = field.values.get(node.value) ?? field.values.size;
  if (number === MAX_VALUES) return false;
  if (number === field.values.size) field.values.set(ownCopy(node.value), number);
  field.fingerprint = (Math.imul(field.fingerprint, 31) + Math.imul(answer, 7) + number + 1) | 0;
  return true;
}

function* scalarsIn(node: ObjectNode, path: readonly string[]): Generator<{ path: readonly string[]; node: Node }> {
  for (const [key, value] of node.members) {
    if (isScalar(value)) yield { path: [...path, key], node: value };
    else if (value.kind === 'object' && path.length + 1 < MAX_DEPTH) yield* scalarsIn(value, [...path, key]);
  }
}

/** The level of `document` at `path`; undefined if it has none. */
export function levelAt(document: ObjectNode, path: Path): string | undefined {
  const node = lookup(document, path);
  return node?.kind === 'string' && LEVEL.test(node.value) ? node.value : undefined;
}
