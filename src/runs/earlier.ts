/**
 * The rows of an earlier review, read once, with what a later one compares: of each wallet its score, collateral, texts, the values
 * that rules on change ask for, and what today's rules say of it. Kept as one text a wallet: of a million that is 300 MB less than
 * their rows.
 */

import { createHash } from 'node:crypto';
import type { Host } from '../context.ts';
import { isEmpty, isScalar, type Node, type ScalarNode } from '../document/node.ts';
import { parseDocument } from '../document/parse.ts';
import { formatPath, type Path } from '../document/path.ts';
import { writeCompact } from '../document/write.ts';
import type { Compared } from '../row/change.ts';
import { type Judging, judgeRow, namesOf } from '../row/judge.ts';
import { readBackRow } from '../row/make-row.ts';
import { classify, findIn, type Row } from '../row/row.ts';
import { textsOf } from '../row/score-texts.ts';
import { ownCopy } from '../text/own-copy.ts';
import type { ReviewEnd, ReviewHeader } from './kept-review.ts';
import { openResults } from './open-results.ts';
import type { ResultRow } from './result.ts';

/** A value of an earlier row. */
export interface Earlier<T> {
  readonly value: T;
  /** When it was answered, ISO 8601 UTC. */
  readonly at: string | undefined;
  /** Whether it is from another review than the one compared with, which has none. */
  readonly isCarried: boolean;
}

/**
 * What a wallet was in an earlier review. Where its row there has no score, each value that it lacks is that of the last row that
 * had one.
 */
export interface EarlierRow {
  readonly status: Row['status'];
  readonly score: Earlier<ScalarNode | undefined>;
  readonly collateral: Earlier<Node | undefined>;
  /** The texts directly in `defi_score`. */
  readonly texts: Earlier<ReadonlyMap<string, string>>;
  /** Names of today's rules that it matched then, or that could not be judged; without those from which it was excused. */
  readonly matched: readonly string[];
  /** Whether today's rules could be judged then. */
  readonly wasJudged: boolean;
  readonly wasAnswered: boolean;
  readonly old: NonNullable<Compared['old']>;
}

/** As it is kept; a short tuple of texts. */
type Packed = readonly [
  status: Row['status'],
  score: string,
  collateral: string,
  answeredAt: string,
  texts: Readonly<Record<string, string>>,
  matched: readonly string[],
  /** The rules that were not judged: it is known of none whether it held. */
  open: readonly string[],
  values: Readonly<Record<string, string>>,
  /** The row of another review, where this one has no score, or no answer. */
  scored?: Packed,
];

export interface EarlierOptions {
  readonly host: Pick<Host, 'stdin' | 'signal' | 'uid' | 'temporaryFolder'>;
  readonly scorePath: Path | undefined;
  /** Today's rules, with the exceptions that were in force then, and the names of those that a row of a status is not judged by. */
  readonly judging: (header: ReviewHeader) => Judging;
  readonly unasked: (status: Row['status']) => readonly string[];
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
  // Of a torn one that is all there is to say.
  const damage: string[] = [];
  const results = await openResults(path, { ...options, onBytes, onDamage: (text) => damage.push(text) });
  try {
    const { review } = results;
    if (!review) return 'it is no kept review';
    const judging = options.judging(review.header);
    const rows = new Map<string, string>();
    let count = 0;
    for await (const row of results.rows) {
      count += 1;
      const key = keyOf(row.wallet?.id, row.input);
      if (!rows.has(key)) rows.set(ownCopy(key), JSON.stringify(pack(row, judging, options)));
    }
    const end = review.end();
    if (!end) return 'it is torn, without its last line';
    damage.forEach(options.onDamage);
    if (count < end.rows)
      options.onDamage(`rows taken out ${end.rows - count}: the kept review ${results.name} has fewer than it had`);
    return { header: review.header, end, sha256: digest.digest('hex'), rows };
  } finally {
    results.close();
  }
}

function pack(written: ResultRow, judging: Judging, { scorePath, paths, unasked }: EarlierOptions): Packed {
  const back = readBackRow(written, written.node());
  // The score is read by the present path, where there is the whole answer.
  const row: Row = written.document ? { ...back, ...classify(written.document, scorePath) } : back;
  const { matched, unjudged } = judgeRow(row, judging);
  const find = findIn(row);
  const values = paths.flatMap((path) => {
    const found = find(path);
    const isNone = found === undefined || found === 'unknown' || isEmpty(found);
    return isNone ? [] : [[formatPath(path), writeCompact(found)] as const];
  });
  return [
    row.status,
    row.score ? writeCompact(row.score) : '',
    written.collateral && !isEmpty(written.collateral) ? writeCompact(written.collateral) : '',
    row.answeredAt ?? '',
    Object.fromEntries(textsOf(row.document)),
    namesOf(matched),
    [...namesOf(unjudged), ...unasked(row.status)],
    Object.fromEntries(values),
  ];
}

function nodeIn(text: string): Node | undefined {
  const node = text === '' ? undefined : parseDocument(`[${text}]`);
  return node?.kind === 'array' ? node.items[0] : undefined;
}

export function unpack(text: string): EarlierRow {
  const own: Packed = JSON.parse(text);
  const [status, , , , , matched, open, values, scored] = own;
  const [, , , , , matchedOnce = [], , valuesOnce = {}] = scored ?? [];
  /** A value of the row; where it has none, of the one that has a score. */
  const take = <T>(read: (packed: Packed) => T | undefined): Earlier<T | undefined> => {
    const value = read(own);
    const isCarried = value === undefined && scored !== undefined;
    const [, , , at] = isCarried ? scored : own;
    return { value: isCarried ? read(scored) : value, at: at || undefined, isCarried };
  };
  const texts = take(([, , , , found]) => (Object.keys(found).length > 0 ? found : undefined));
  return {
    status,
    score: take(([, score]) => {
      const node = nodeIn(score);
      return node && isScalar(node) ? node : undefined;
    }),
    collateral: take(([, , collateral]) => nodeIn(collateral)),
    texts: { ...texts, value: new Map(Object.entries(texts.value ?? {})) },
    matched: [...matched, ...matchedOnce.filter((name) => open.includes(name))],
    wasJudged: status === 'scored' && open.length === 0,
    wasAnswered: isAnswer(status),
    old(path) {
      if (!scored && !isAnswer(status)) return 'unknown';
      const name = formatPath(path);
      return nodeIn(values[name] ?? valuesOnce[name] ?? '');
    },
  };
}

/**
 * Adds to the wallets of `run` that had no score then the row of the review at `path`, where that has one; to those that had no
 * answer any answer, which takes the place of their row where that review is a later one. One that is torn or of another service
 * adds nothing.
 * @returns how many were added, and how many still have none
 */
export async function fillScores(run: EarlierRun, path: string, options: EarlierOptions) {
  const open = openWallets(run);
  if (open.size === 0) return { filled: 0, left: 0 };
  const results = await openResults(path, options);
  try {
    const { review } = results;
    if (review?.header.baseUrl !== run.header.baseUrl) return { filled: 0, left: open.size };
    const judging = options.judging(run.header);
    const found = new Map<string, Packed>();
    for await (const row of results.rows) {
      const key = row.wallet?.id;
      if (key === undefined || !open.has(key) || found.has(key)) continue;
      const packed = pack(row, judging, options);
      if (packed[1] !== '' || (!open.get(key) && isAnswer(packed[0]))) found.set(ownCopy(key), packed);
    }
    if (!review.end()) return { filled: 0, left: open.size };
    const isLater = review.header.begun > run.header.begun;
    for (const [key, packed] of found) {
      const isInPlace = isLater && !open.get(key);
      run.rows.set(key, JSON.stringify(isInPlace ? packed : [...JSON.parse(run.rows.get(key) ?? '[]'), packed]));
    }
    return { filled: found.size, left: openWallets(run).size };
  } finally {
    results.close();
  }
}

/** The wallets that had no score, and whether they had an answer. */
function openWallets({ rows }: EarlierRun): ReadonlyMap<string, boolean> {
  const open = new Map<string, boolean>();
  for (const [key, text] of rows) {
    const [status, score, , , , , , , scored]: Packed = JSON.parse(text);
    if (!key.startsWith('!') && score === '' && !scored) open.set(key, isAnswer(status));
  }
  return open;
}

const isAnswer = (status: Row['status']) => status === 'scored' || status === 'no_score';

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
