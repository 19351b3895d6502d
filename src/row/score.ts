/**
 * The headline score of an answer. The service does not say what `defi_score` contains
 * (docs/service.md, Profiles), so the score is looked for where services of this kind put it;
 * otherwise a number is taken only if it is the only one.
 */

import type { Reporter } from '../context.ts';
import { isEmpty, isScalar, type Node, type ObjectNode, type ScalarNode } from '../document/node.ts';
import { formatPath, joinPath, leaves, lookup, memberOf, type Path } from '../document/path.ts';
import { decimalOf } from './decimal.ts';

export interface FoundScore {
  /** The path of the score, even if its value is null, empty or not a scalar. */
  readonly path?: string;
  readonly score?: ScalarNode;
  /** Paths of numbers that could be the score, when none was found. */
  readonly candidates?: readonly string[];
}

const SCORE_OBJECT = 'defi_score';
const MAX_CANDIDATES = 8;

/**
 * The score of `document` at `setting`, the path that the user named; without one at
 * `defi_score.defi_score`, else at `defi_score.score`, else the only number directly in
 * `defi_score`. A null at one of these paths ends the search: another number must not stand in for
 * a score that the service hides.
 */
export function findScore(document: ObjectNode, setting?: Path): FoundScore {
  const home = memberOf(document, SCORE_OBJECT);
  if (setting) {
    const node = lookup(document, setting);
    const candidates = node || home?.kind !== 'object' ? {} : withCandidates(home);
    return { ...scoreAt(formatPath(setting), node), ...candidates };
  }
  if (home?.kind !== 'object') return {};
  for (const key of [SCORE_OBJECT, 'score']) {
    const named = memberOf(home, key);
    if (named && isScalar(named)) return scoreAt(joinPath(SCORE_OBJECT, key), named);
  }
  const numbers = [...new Map(home.members)].filter(([, value]) => value.kind === 'number');
  const [only, another] = numbers;
  return only && !another ? scoreAt(joinPath(SCORE_OBJECT, only[0]), only[1]) : withCandidates(home);
}

function scoreAt(path: string, node: Node | undefined): FoundScore {
  return node && isScalar(node) && !isEmpty(node) ? { path, score: node } : { path };
}

/** Numbers directly in `defi_score`, or else deeper ones; a decimal sent as a string counts too. */
function withCandidates(home: ObjectNode): FoundScore {
  const direct: ObjectNode = { kind: 'object', members: home.members.filter(([, value]) => isScalar(value)) };
  const shallow = numericPaths(direct);
  const candidates = shallow.length > 0 ? shallow : numericPaths(home);
  return candidates.length > 0 ? { candidates } : {};
}

function numericPaths(home: ObjectNode): readonly string[] {
  const paths = new Set<string>();
  for (const { path, node } of leaves(home, SCORE_OBJECT)) {
    if (decimalOf(node)) paths.add(path);
    if (paths.size === MAX_CANDIDATES) break;
  }
  return [...paths];
}

/** Reports the `candidates`. @returns whether there were any: a list reports them once */
export function reportCandidates(
  { candidates }: Pick<FoundScore, 'candidates'>,
  { setting, report }: { readonly setting: Path | undefined; readonly report: Pick<Reporter, 'info'> },
): boolean {
  if (!candidates) return false;
  const why = setting
    ? `the setting score names ${formatPath(setting)}, which the answer does not have`
    : 'no headline score was found';
  report.info(`${why}; it could be ${candidates.join(', ')}: choose one with riskcli config set score PATH`);
  return true;
}
