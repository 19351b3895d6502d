/**
 * Checks the first answers of a list for mistyped paths, before most of the list is paid for. A path that none of them has stops
 * the list if there is a similar one; otherwise it may be a field that few wallets have.
 */

import type { Node, ObjectNode } from '../../document/node.ts';
import { memberOf, type Path } from '../../document/path.ts';
import { UsageError } from '../../errors.ts';
import { quoted } from '../../secrets/withhold.ts';
import { didYouMeanPath } from '../../text/nearest.ts';
import { ownCopy } from '../../text/own-copy.ts';
import type { Field } from '../fields.ts';
import { inputNode, type RowInput } from '../row.ts';
import { collectPaths, isNearKey, pathsEndingIn } from './near-path.ts';
import { formatRowPath, META, OWN_NAMES } from './own-names.ts';

export interface FirstLook {
  /** Whether no more answers are needed: all paths were seen, or enough answers. */
  readonly isOver: boolean;
  /** Observes the answer for the wallet `id`, once for each wallet. @throws UsageError for a mistyped path */
  observeAnswer(id: string, document: ObjectNode): void;
  /** Observes the input of a row. @throws UsageError */
  observeInput(input: RowInput): void;
}

/** After this many answers without it, a path is not merely rare. */
const FIRST_ANSWERS = 20;
/** Keys remembered as alternatives to a missing one. */
const MAX_KEYS = 1_000;

/**
 * A look at the paths of `fields`: it is over at once when none of them can stop a list. One that may be absent never does, nor
 * one with an index: arrays are of any length.
 */
export function createFirstLook(fields: readonly Field[]): FirstLook {
  const asked = fields.filter(({ path, optional }) => !optional && path.every((step) => typeof step === 'string'));
  const seen = new Set<string>();
  const ofAnswers = asked.filter(({ path: [home] }) => home !== META);
  const ofInput = asked.filter(
    ({ path: [home, member], path }) => home === META && member === 'input' && path.length > 2,
  );
  const answers = createSearch(ofAnswers.map((field) => ({ field, path: field.path, inRow: ownOrDocument })));
  const inputs = createSearch(ofInput.map((field) => ({ field, path: field.path.slice(1), inRow: withMeta })));
  const wallets = new Set<string>();
  return {
    get isOver() {
      return answers.isOver;
    },
    observeAnswer(id, document) {
      if (answers.isOver || wallets.has(id)) return;
      wallets.add(id);
      answers.observe(document);
      collectPaths(document, seen);
      refuse(answers.mistyped(seen), 'answers');
    },
    observeInput(input) {
      if (inputs.isOver && answers.isOver) return;
      const node = inputNode(input);
      collectPaths(node, seen, 'input');
      if (inputs.isOver) return;
      inputs.observe({ kind: 'object', members: [['input', node]] });
      refuse(inputs.mistyped(seen), 'rows');
    },
  };
}

const withMeta = (path: Path): Path => [META, ...path];

/** The row's own names take precedence over keys of the document. */
const ownOrDocument = (path: Path): Path =>
  path.length === 1 && OWN_NAMES.some((name) => name === path[0]) ? withMeta(path) : path;

interface Mistyped {
  readonly field: Field;
  readonly meant: readonly string[];
}

function refuse(mistyped: Mistyped | undefined, what: 'answers' | 'rows'): void {
  if (!mistyped) return;
  const { field, meant } = mistyped;
  throw new UsageError(
    `none of the first ${FIRST_ANSWERS} ${what} had ${quoted(formatRowPath(field.path))} of ${field.name}`,
    {
      code: 'missing_field',
      hint: didYouMeanPath(meant),
    },
  );
}

/** @param wanted fields, their paths in the object that is searched, and how to make these paths in a row */
function createSearch(
  wanted: readonly { readonly field: Field; readonly path: Path; readonly inRow: (path: Path) => Path }[],
) {
  const open = new Map(wanted.map((one) => [one, createTrail(one.path)]));
  let count = 0;
  return {
    get isOver() {
      return open.size === 0 || count >= FIRST_ANSWERS;
    },
    observe(node: ObjectNode) {
      count += 1;
      for (const [one, trail] of open) if (trail.follow(node)) open.delete(one);
    },
    /** The first path that no object had although a similar one exists, once enough were seen. */
    mistyped(seen: Iterable<string>): Mistyped | undefined {
      if (count < FIRST_ANSWERS) return undefined;
      for (const [{ field, path, inRow }, trail] of open) {
        const near = trail.near(count).map((one) => formatRowPath(inRow(one)));
        const meant = [...new Set([...near, ...pathsEndingIn(path, seen)])].slice(0, MAX_MEANT);
        if (meant.length > 0) return { field, meant };
      }
      return undefined;
    },
  };
}

const MAX_MEANT = 3;

function remember(key: string, keys: Set<string>): void {
  if (keys.size < MAX_KEYS && !keys.has(key)) keys.add(ownCopy(key));
}

/** How far a path could be followed in each of several objects, and which keys were found where it ended. */
function createTrail(path: Path) {
  const steps = path.map((key) => ({ key: String(key), parents: 0, isSeen: false, keys: new Set<string>() }));
  return {
    /** Whether `node` has the path. With a null on the way, as for a null score, the rest of the path is unknown. */
    follow(node: ObjectNode): boolean {
      let at: Node = node;
      for (const [i, step] of steps.entries()) {
        if (at.kind === 'literal' && at.value === null) for (const one of steps.slice(i)) one.parents += 1;
        if (at.kind !== 'object') return false;
        step.parents += 1;
        const next = memberOf(at, step.key);
        if (!next) for (const [key] of at.members) remember(key, step.keys);
        if (!next) return false;
        step.isSeen = true;
        at = next;
      }
      return true;
    },
    /** The path with one key replaced by a similar one, below a parent that all `count` objects had. */
    near(count: number): readonly Path[] {
      return steps.flatMap(({ key, parents, isSeen, keys }, depth) => {
        if (isSeen || parents < count) return [];
        const others = path.length === 1 ? OWN_NAMES : [];
        const meant = [...new Set([...keys, ...others])].filter((other) => isNearKey(key, other));
        return meant.map((other) => path.map((step, i) => (i === depth ? other : step)));
      });
    },
  };
}
