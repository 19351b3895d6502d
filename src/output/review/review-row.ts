/** A row of a review: the rules it matched, how it changed, and why it could not be judged. */
import type { ObjectNode, ScalarNode } from '../../document/node.ts';
import { formatPath, memberOf, type Path } from '../../document/path.ts';
import { type Decimal, decimalOf, subtractDecimals } from '../../row/decimal.ts';
import type { Row, Status } from '../../row/row.ts';
import { ownCopy } from '../../text/own-copy.ts';
import { levelAt } from './levels.ts';

/** The last earlier answer with a score for a wallet. */
export interface Before {
  readonly document: ObjectNode;
  readonly score: ScalarNode;
  /** Milliseconds since 1970. */
  readonly answeredAt: number;
  /** Whether it was the wallet's latest answer at that time: no answer without a score followed. */
  readonly isCurrent: boolean;
  /** The verdict of the rules. Computed on demand: most rows match nothing and do not need it. */
  readonly judged: () => Pick<Row, 'matched' | 'unjudged'>;
}

export interface LevelChange {
  readonly field: string;
  readonly old: string;
  readonly new: string;
}

export interface ReviewRow {
  /** As spelled in the answer, else in the list; undefined if the row has no wallet. */
  readonly wallet: string | undefined;
  readonly line: number;
  readonly label: string | undefined;
  readonly status: Status;
  readonly score: ScalarNode | undefined;
  readonly collateral: ScalarNode | undefined;
  /** The score it is compared with; undefined if there is none. */
  readonly old: { readonly score: ScalarNode; readonly answeredAt: number; readonly isCurrent: boolean } | undefined;
  /** The exact change of the score. */
  readonly change: string | undefined;
  readonly levels: readonly LevelChange[];
  readonly isNew: boolean;
  /** The rules that it matches, and those it did not match before. */
  readonly matched: readonly string[];
  readonly newlyMatched: readonly string[];
  /** Why it could not be judged; undefined if it could. */
  readonly why: string | undefined;
  /** Whether it could be judged before. */
  readonly isNewlyUnjudged: boolean;
}

/** What is known about a row besides its answer. */
export interface Taken {
  readonly label: string | undefined;
  readonly isNew: boolean;
  readonly before: Before | undefined;
  /** Whether the list is compared with an earlier review. */
  readonly isCompared: boolean;
}

/** What a review counts for a row. */
export interface Found {
  /** The absolute change of the score; undefined if it is zero or unknown. */
  readonly moved: Decimal | undefined;
  readonly levels: readonly LevelChange[];
  readonly newlyMatched: readonly string[];
  readonly why: string | undefined;
  readonly isNewlyUnjudged: boolean;
  /** Makes the row; only called for the few rows that are kept. */
  readonly make: () => ReviewRow;
}

export interface LookOptions {
  /** Whether rules or exceptions have changed: then every match counts as new. */
  readonly hasNewRules: boolean;
  /** Statuses that count as judged (--accept). */
  readonly accept: ReadonlySet<Status>;
  readonly levels: readonly Path[];
}

/** Returns a function that examines one row. */
export function createLook({ hasNewRules, accept, levels }: LookOptions): (row: Row, taken: Taken) => Found {
  const named = levels.map((path) => ({ path, field: formatPath(path) }));
  return (row, taken) => {
    const { isNew, before, isCompared } = taken;
    const matched = row.matched ?? [];
    const why = accept.has(row.status) ? undefined : reasonOf(row);
    const wasKnown = isCompared && !isNew;
    const isBack = wasKnown && row.status === 'scored' && !before?.isCurrent;
    const changes = levelChanges(row, before, named);
    let made: ReviewRow | undefined;
    const found: Found = {
      moved: sizeOfMove(row, before),
      levels: isBack ? [BACK_AGAIN, ...changes] : changes,
      newlyMatched: matched.length === 0 || hasNewRules ? matched : newNames(matched, before),
      why,
      isNewlyUnjudged: why !== undefined && row.wallet !== undefined && (!wasKnown || wasJudged(before)),
      make() {
        made ??= reviewRow(row, taken, found);
        return made;
      },
    };
    return found;
  };
}

function reviewRow(row: Row, { label, isNew, before }: Taken, found: Found): ReviewRow {
  const { levels, newlyMatched, why, isNewlyUnjudged } = found;
  return {
    wallet: walletOf(row),
    line: row.line,
    label,
    status: row.status,
    score: row.score && ownScalar(row.score),
    collateral: collateralOf(row),
    old: before && { score: ownScalar(before.score), answeredAt: before.answeredAt, isCurrent: before.isCurrent },
    change: changeOf(row, before),
    levels,
    isNew,
    matched: row.matched ?? [],
    newlyMatched,
    why,
    isNewlyUnjudged,
  };
}

/** A wallet that has a score again. */
const BACK_AGAIN: LevelChange = { field: 'status', old: 'no score', new: 'scored' };

const NO_CHANGES: readonly LevelChange[] = [];

function levelChanges(
  { document }: Row,
  before: Before | undefined,
  levels: readonly { readonly path: Path; readonly field: string }[],
): readonly LevelChange[] {
  if (!document || !before || document === before.document) return NO_CHANGES;
  return levels.flatMap(({ path, field }) => {
    const [was, is] = [levelAt(before.document, path), levelAt(document, path)];
    return was === undefined || is === undefined || was === is ? [] : [{ field, old: ownCopy(was), new: ownCopy(is) }];
  });
}

/** Why `row` could not be judged; undefined if it could. */
function reasonOf({ status, error, unjudged = [] }: Row): string | undefined {
  switch (status) {
    case 'invalid':
      return 'not a wallet';
    case 'failed':
      return error?.httpStatus === undefined ? (error?.code ?? 'failed') : `refused (${error.httpStatus})`;
    case 'pending':
      return 'not asked';
    case 'no_score':
      return 'no score';
    default:
      return unjudged.length > 0 ? `not judged: ${unjudged.join('; ')}` : undefined;
  }
}

/** The change of the score; undefined unless both scores are numbers. */
function changeOf({ score }: Row, before: Before | undefined): string | undefined {
  if (!score || !before) return undefined;
  const [is, was] = [decimalOf(score), decimalOf(before.score)];
  return is && was ? subtractDecimals(is, was) : undefined;
}

function sizeOfMove(row: Row, before: Before | undefined): Decimal | undefined {
  const { score } = row;
  if (score?.kind === 'number' && before?.score.kind === 'number' && score.spelling === before.score.spelling)
    return undefined;
  const change = changeOf(row, before);
  const size = change === undefined ? undefined : decimalOf({ kind: 'number', spelling: change });
  return size && size.digits !== '' ? { ...size, sign: 1 } : undefined;
}

function newNames(names: readonly string[], before: Before | undefined): readonly string[] {
  const { matched = [], unjudged = [] } = before?.judged() ?? {};
  return names.filter((name) => !matched.includes(name) && !unjudged.includes(name));
}

const wasJudged = (before: Before | undefined) => before?.isCurrent === true && !before.judged().unjudged?.length;

/** A copy of the text: V8 would keep the whole answer in memory for a substring of it. */
function ownScalar(node: ScalarNode): ScalarNode {
  if (node.kind === 'number') return { kind: 'number', spelling: ownCopy(node.spelling) };
  return node.kind === 'string' ? { kind: 'string', value: ownCopy(node.value) } : node;
}

function collateralOf({ document }: Row): ScalarNode | undefined {
  const node = document && memberOf(document, 'total_collateral_usd');
  return node && node.kind !== 'object' && node.kind !== 'array' ? ownScalar(node) : undefined;
}

function walletOf({ document, wallet }: Row): string | undefined {
  const spelled = document && memberOf(document, 'wallet_address');
  const text = spelled?.kind === 'string' ? spelled.value : wallet;
  return text === undefined ? undefined : ownCopy(text);
}
