/**
 * Finds mistyped paths as early as each can be known: a column of the list without `input.` before
 * anything is sent; a path that the first answers lack although they have a similar one, before
 * most of a list is paid for; any other at the end.
 */
import type { Context } from '../context.ts';
import type { ObjectNode } from '../document/node.ts';
import { formatPath, joinPath, lookup, type Path } from '../document/path.ts';
import { UsageError } from '../errors.ts';
import { inputNode, META, type RowInput } from '../row/row.ts';
import { quoted } from '../secrets/redact.ts';
import { didYouMean, didYouMeanPath } from '../text/nearest.ts';
import { FIELD_PATHS, formatRowPath, META_SHORTCUTS } from './meta-shortcuts.ts';
import { collectPaths, nearPaths } from './near-path.ts';
import type { PathSpec } from './row-path.ts';

/** A path that the run needs. A missing one is reported unless it is optional. */
export interface RequestedPath extends PathSpec {
  /**
   * Whether only its existence is tested. It is then never an error, but a column that the list
   * does not have is noted.
   */
  readonly isExistenceTest?: boolean;
  /** The flag that names it, for messages: `--fields`, `--where 'a > 1'`. */
  readonly from: string;
}

export interface ListColumns {
  /** Whether every record has the columns of the first one. */
  readonly isTable: boolean;
  /** The first records. */
  readonly first: readonly { readonly input: RowInput }[];
}

/** After this many answers without it, a path is not merely rare. */
const FIRST_ANSWERS = 20;

export class PathChecker {
  private mistyped: UsageError | undefined;
  private readonly existenceTests: readonly RequestedPath[];
  private readonly required: readonly RequestedPath[];
  /** Required paths that no answer has had so far. */
  private readonly unseen: Set<RequestedPath>;
  /** Paths that an answer could have had, but did not. */
  private readonly absent = new Set<RequestedPath>();
  private readonly wallets = new Set<string>();
  /** The paths of the first answers. */
  private readonly found = new Set<string>();

  /** @param report gets notes on doubtful paths that are no error */
  constructor(
    asked: readonly RequestedPath[],
    private readonly report?: Context['report'],
  ) {
    this.existenceTests = asked.filter(({ isExistenceTest, isOptional }) => isExistenceTest && !isOptional);
    this.required = asked.filter(
      ({ path, isOptional, isExistenceTest }) => !isOptional && !isExistenceTest && !isErrorField(path),
    );
    this.unseen = new Set(this.required);
  }

  /**
   * @throws UsageError for a path that begins with a column of the list, or names one that the
   * list does not have
   */
  checkColumns(list: ListColumns): void {
    const [mistake] = columnMistakes(this.required, list);
    if (mistake) throw mistake;
    for (const { message, hint } of columnMistakes(this.existenceTests, list)) this.report?.info(`${message}; ${hint}`);
  }

  /** The error for a path that none of the first answers had, although they had a similar one. */
  get mistypedError(): UsageError | undefined {
    return this.mistyped;
  }

  /** Whether the rest of a list may be asked: all paths were seen, or enough answers. */
  get isDecided(): boolean {
    return this.unseen.size === 0 || this.hasEnough();
  }

  /**
   * Observes the answer for a wallet: its row with `_meta`, which is made only if it is needed.
   */
  observe(wallet: string, answer: () => ObjectNode): void {
    const { unseen, absent, wallets, found } = this;
    if (unseen.size === 0) return;
    const node = answer();
    for (const one of unseen) {
      const has = hasPath(one.path, node);
      if (has) unseen.delete(one);
      else if (has === false) absent.add(one);
    }
    if (this.hasEnough()) return;
    wallets.add(wallet.toLowerCase());
    collectPaths(node, found);
    if (this.hasEnough()) this.mistyped = findMistypedError(unseen, found);
  }

  /**
   * The error for paths that no answer had, at the end; none if there was no answer.
   * @param isKnown whether earlier answers had the path, so that it is not mistyped
   */
  missingPathsError(isKnown: (path: Path) => boolean = () => false): UsageError | undefined {
    const missing = [...this.unseen].filter((one) => this.absent.has(one) && !isKnown(one.path));
    if (missing.length === 0) return undefined;
    const near = missing.flatMap(({ path }) => nearPaths(path, this.found).paths);
    return missingError('no answer', missing, near);
  }

  private hasEnough(): boolean {
    return this.wallets.size >= FIRST_ANSWERS;
  }
}

function findMistypedError(unseen: Iterable<RequestedPath>, found: ReadonlySet<string>): UsageError | undefined {
  for (const one of unseen) {
    const { paths, isLikely } = nearPaths(one.path, found);
    if (isLikely) return missingError(`none of the first ${FIRST_ANSWERS} answers`, [one], paths);
  }
  return undefined;
}

/**
 * Rows have `_meta.error` and `_meta.warning` only when something went wrong: otherwise the path is
 * not mistyped.
 */
const isErrorField = (path: Path) => path[0] === META && (path[1] === 'error' || path[1] === 'warning');

/**
 * Whether `answer` has a value at `path`; undefined if there is a null on the way, as when a score
 * is null.
 */
function hasPath(path: Path, answer: ObjectNode): boolean | undefined {
  for (let length = 1; length <= path.length; length++) {
    const found = lookup(answer, path.slice(0, length));
    if (!found) return false;
    if (found.kind === 'literal' && found.value === null && length < path.length) return undefined;
  }
  return true;
}

/** More suggestions would not fit on a readable line. */
const MAX_SUGGESTIONS = 3;
/** Records by which the columns of a list are known. */
const MAX_RECORDS = 100;

function missingError(who: string, asked: readonly RequestedPath[], suggested: readonly string[]): UsageError {
  const paths = asked.map(({ path, from }) => `${quoted(formatRowPath(path))} of ${from}`);
  return new UsageError(`${who} had ${paths.join(', ')}`, {
    code: 'missing_field',
    hint:
      suggested.length > 0
        ? didYouMeanPath([...new Set(suggested)].slice(0, MAX_SUGGESTIONS))
        : "put '?' after a path that may be absent",
  });
}

/** Columns of the list that have the name of a value of every row: `score` means the answer's. */
const OF_EVERY_ROW: ReadonlySet<unknown> = new Set([
  ...META_SHORTCUTS,
  ...FIELD_PATHS.map((path) => path.split('.')[0]),
]);

function columnMistakes(asked: readonly RequestedPath[], { isTable, first }: ListColumns): readonly UsageError[] {
  const columns = [...new Set(first.slice(0, MAX_RECORDS).flatMap(({ input }) => inputColumns(input)))];
  const isColumn = (key: unknown) => columns.includes(String(key));
  return asked.flatMap((one) => {
    const [root, member, column] = one.path;
    if (isColumn(root) && !one.isBracketed && !OF_EVERY_ROW.has(root)) return [ambiguous(one)];
    if (!isTable || root !== META || member !== 'input' || column === undefined || isColumn(column)) return [];
    return [noColumn(one, columns)];
  });
}

function noColumn({ path, from }: RequestedPath, columns: Iterable<string>): UsageError {
  const known = [...columns].map((name) => formatPath(['input', name]));
  const suggested = nearPaths(path, known).paths.slice(0, MAX_SUGGESTIONS);
  return new UsageError(`the list has no ${quoted(formatRowPath(path))}, which ${from} asks for`, {
    code: 'missing_field',
    hint: suggested.length > 0 ? didYouMean(suggested) : `it has ${known.join(', ')}`,
  });
}

function ambiguous({ path, from }: RequestedPath): UsageError {
  const [root, ...inside] = path;
  const ofAnswer = inside.reduce<string>(joinPath, `[${JSON.stringify(root)}]`);
  return new UsageError(`${quoted(formatPath(path))} of ${from} is a column of the list`, {
    code: 'missing_field',
    hint: `write ${formatPath(['input', ...path])} for the list's, ${ofAnswer} for the answer's`,
  });
}

function inputColumns(input: RowInput): readonly string[] {
  const node = inputNode(input);
  return node.kind === 'object' ? node.members.map(([name]) => name) : [];
}
