/**
 * The rows of an earlier review, read once, with what a later one compares: of each wallet its score, collateral, texts, the values
 * that rules on change ask for, and what today's rules say of it. Kept as one text a wallet: of a million that is 300 MB less than
 * their rows.
 */

import { createHash } from 'node:crypto';
import type { Host } from '../context.ts';
import { isScalar, type Node, type ScalarNode } from '../document/node.ts';
import { parseDocument } from '../document/parse.ts';
import { formatPath, type Path } from '../document/path.ts';
import { writeCompact } from '../document/write.ts';
import type { Compared } from '../row/change.ts';
import { readBackRow } from '../row/make-row.ts';
import type { Matches } from '../row/matches.ts';
import { classify, findIn, type Row } from '../row/row.ts';
import { textsOf } from '../row/score-texts.ts';
import { ownCopy } from '../text/own-copy.ts';
import type { ReviewEnd, ReviewHeader } from './kept-review.ts';
import { openResults } from './open-results.ts';
import type { ResultRow } from './result.ts';

/** What a wallet was in an earlier review. */
export interface EarlierRow {
  readonly status: Row['status'];
  readonly score: ScalarNode | undefined;
  readonly collateral: Node | undefined;
  /** When its score was answered. */
  readonly scoreAt: string | undefined;
  /** Whether that is from an older review than the one compared with. */
  readonly isOlder: boolean;
  /** The texts directly in `defi_score`. */
  readonly texts: ReadonlyMap<string, string>;
  /** Names of today's rules that it matched then, or that could not be judged; without those from which it was excused. */
  readonly matched: readonly string[];
  /** Whether today's rules could be judged then. */
  readonly wasJudged: boolean;
  readonly old: NonNullable<Compared['old']>;
}

/** As it is kept; a short tuple of texts. */
type Packed = readonly [
  status: Row['status'],
  score: string,
  collateral: string,
  scoreAt: string,
  texts: Readonly<Record<string, string>>,
  matched: readonly string[],
  wasJudged: boolean,
  values: Readonly<Record<string, string>>,
  isOlder: boolean,
];

export interface EarlierOptions {
  readonly host: Pick<Host, 'stdin' | 'signal' | 'uid' | 'temporaryFolder'>;
  readonly scorePath: Path | undefined;
  /** Today's rules, with the exceptions that were in force then. */
  readonly matches: (header: ReviewHeader) => Matches;
  /** The paths of rules on change. */
  readonly paths: readonly Path[];
  readonly onDamage: (text: string) => void;
}

export interface EarlierRun {
  readonly header: ReviewHeader;
  readonly end: ReviewEnd;
  /** Of its bytes, unpacked. */
  readonly sha256: string;
  /** Of each wallet, by `keyOf`, its first row; one that was taken is the empty text. */
  readonly rows: Map<string, string>;
}

/** What a row is known by: its wallet, or else what the list says in place of one. */
export function keyOf(wallet: string | undefined, input: () => Node | undefined): string {
  if (wallet !== undefined) return wallet.toLowerCase();
  const node = input();
  return `!${node ? writeCompact(node) : ''}`;
}

/** Reads the kept review at `path`. @returns why it cannot be used, when it cannot. @throws ListError for what is no review */
export async function readEarlier(path: string, options: EarlierOptions): Promise<EarlierRun | string> {
  const digest = createHash('sha256');
  const onBytes = (bytes: Uint8Array) => void digest.update(bytes);
  const results = await openResults(path, { ...options, onBytes });
  try {
    const { review } = results;
    if (!review) return 'it is no kept review';
    const matches = options.matches(review.header);
    const rows = new Map<string, string>();
    let count = 0;
    for await (const row of results.rows) {
      count += 1;
      const key = keyOf(row.wallet?.id, row.input);
      if (!rows.has(key)) rows.set(ownCopy(key), pack(row, matches, options));
    }
    const end = review.end();
    if (!end) return 'its last line is missing: it is torn';
    if (count < end.rows)
      options.onDamage(`rows taken out ${end.rows - count}: the kept review ${results.name} has fewer than it had`);
    return { header: review.header, end, sha256: digest.digest('hex'), rows };
  } finally {
    results.close();
  }
}

function pack(written: ResultRow, matches: Matches, { scorePath, paths }: EarlierOptions): string {
  const back = readBackRow(written, written.node());
  // The score is read by the present path, where there is the whole answer.
  const row: Row = written.document ? { ...back, ...classify(written.document, scorePath) } : back;
  const { matched = [], unjudged = [] } = matches.evaluate(row);
  const find = findIn(row);
  const values = paths.flatMap((path) => {
    const found = find(path);
    return found === undefined || found === 'unknown' ? [] : [[formatPath(path), writeCompact(found)] as const];
  });
  const packed: Packed = [
    row.status,
    row.score ? writeCompact(row.score) : '',
    written.collateral ? writeCompact(written.collateral) : '',
    row.answeredAt ?? '',
    Object.fromEntries(textsOf(row.document)),
    matched,
    row.status === 'scored' && unjudged.length === 0,
    Object.fromEntries(values),
    false,
  ];
  return JSON.stringify(packed);
}

function nodeIn(text: string): Node | undefined {
  const node = text === '' ? undefined : parseDocument(`[${text}]`);
  return node?.kind === 'array' ? node.items[0] : undefined;
}

export function unpack(text: string): EarlierRow {
  const [status, score, collateral, scoreAt, texts, matched, wasJudged, values, isOlder]: Packed = JSON.parse(text);
  const scoreNode = nodeIn(score);
  return {
    status,
    score: scoreNode && isScalar(scoreNode) ? scoreNode : undefined,
    collateral: nodeIn(collateral),
    scoreAt: scoreAt || undefined,
    isOlder,
    texts: new Map(Object.entries(texts)),
    matched,
    wasJudged,
    old(path) {
      if (status !== 'scored' && status !== 'no_score') return 'unknown';
      return nodeIn(values[formatPath(path)] ?? '');
    },
  };
}

/**
 * Gives the wallets of `run` that had no score then the row of the review at `path`, where that has one.
 * @returns how many still have none
 */
export async function fillScores(run: EarlierRun, path: string, options: EarlierOptions): Promise<number> {
  const open = new Set<string>();
  for (const [key, text] of run.rows) if (!key.startsWith('!') && JSON.parse(text)[1] === '') open.add(key);
  if (open.size === 0) return 0;
  const results = await openResults(path, options);
  try {
    if (!results.review) return open.size;
    const matches = options.matches(run.header);
    for await (const row of results.rows) {
      const key = row.wallet?.id;
      if (key === undefined || !open.has(key)) continue;
      const packed: Packed = JSON.parse(pack(row, matches, options));
      if (packed[1] === '') continue;
      const [status, score, collateral, scoreAt, texts, matched, , values] = packed;
      const wasJudged = JSON.parse(run.rows.get(key) ?? '[]')[6] === true;
      const filled: Packed = [status, score, collateral, scoreAt, texts, matched, wasJudged, values, true];
      run.rows.set(key, JSON.stringify(filled));
      open.delete(key);
    }
    return open.size;
  } finally {
    results.close();
  }
}

/** The rows of the review at `path` whose wallets are in `keys`. */
export async function* rowsOf(
  path: string,
  keys: ReadonlySet<string>,
  options: Pick<EarlierOptions, 'host' | 'scorePath' | 'onDamage'>,
): AsyncGenerator<Row> {
  const results = await openResults(path, options);
  const told = new Set<string>();
  try {
    for await (const row of results.rows) {
      const key = row.wallet?.id;
      if (key === undefined || !keys.has(key) || told.has(key)) continue;
      told.add(key);
      yield readBackRow(row, row.node());
    }
  } finally {
    results.close();
  }
}
