/**
 * The earlier side of a review: the kept review that it is compared with, opened, and for wallets that have no answer or no score in
 * it the rows of other kept reviews.
 */
import { compareRows, findChange, type RowValues, valueIn } from '../compare/compare.ts';
import type { Context } from '../context.ts';
import type { Path } from '../document/path.ts';
import { ListError } from '../errors.ts';
import { shownPath } from '../files/file-error.ts';
import type { PlainFile } from '../lists/plain-file.ts';
import type { Find, FindCompared } from '../row/conditions.ts';
import { META } from '../row/paths/own-names.ts';
import { classify, findIn, type Row } from '../row/row.ts';
import { createTextCounts, textsOf } from '../row/score-texts.ts';
import { type IndexedRun, indexRunOf } from '../runs/index-run.ts';
import { bareName, type KeptFile } from '../runs/keep-folder.ts';
import { openKept } from '../runs/kept-file.ts';
import type { ReadFile, ReviewHeader } from '../runs/kept-review.ts';
import { openRunOf, SILENT } from '../runs/open-run.ts';
import { isWalletKey, rowKey, rowReader } from '../runs/row-index.ts';
import { collateralOf, isAnswer } from '../runs/run.ts';
import { utcDay } from '../text/when.ts';
import { hasSameRules } from './same-rules.ts';

/** The earlier side of a wallet. */
export interface EarlierWallet {
  /** Its rows in the review compared with, at least one. */
  readonly rows: readonly Row[];
  /** The first of `rows`. The rows below are this very object, unless they are of another review. */
  readonly own: Row;
  /** What today's row is compared with. */
  readonly row: Row;
  /** The row that has its score, and with it the texts of the score. */
  readonly scored: Row;
  /** The row that has its collateral. */
  readonly valued: Row;
}

export interface EarlierReview {
  readonly file: KeptFile;
  readonly header: ReviewHeader;
  /** Of its bytes, unpacked. */
  readonly sha256: string;
  /** The other kept reviews that rows are from. */
  readonly valuesFrom: readonly ReadFile[];
  /** Whether a text of the score had few values. */
  readonly isFew: (field: string) => boolean;
  keys(): Iterable<string>;
  /** Undefined for a wallet that came. */
  walletOf(key: string): EarlierWallet | undefined;
  close(): void;
}

export interface EarlierOptions {
  readonly context: Context;
  /** The present path of the score, by which earlier answers are read. */
  readonly scorePath: Path | undefined;
  /** The service whose answers are compared. */
  readonly base: string;
  /** Whether files that other users own or can write are read, too, with a note. */
  readonly trustsAll?: boolean;
}

/** UTC days of whose reviews a wallet is looked for: many runs of one day must not hide the weeks before. */
const MAX_DAYS = 10;

/**
 * Opens the first of `files` that can be used, and takes from those behind it what it lacks. Files that cannot be used are named,
 * and passed over.
 */
export async function openEarlier(
  files: readonly KeptFile[],
  options: EarlierOptions,
): Promise<EarlierReview | undefined> {
  for (const [i, file] of files.entries()) {
    const lacks: Lacks = new Map();
    const texts = createTextCounts();
    const onRow = (written: Row) => {
      const [key, row] = [rowKey(written), withScore(written, options)];
      const kinds = KINDS.filter((kind) => !HAS[kind](row));
      if (isWalletKey(key) && kinds.length > 0) lacks.set(key, kinds);
      texts.observe(textsOf(row.document));
    };
    const run = await tryOpen(file, { ...options, onRow });
    if (!run) continue;
    const others = ofDays(files.slice(i), MAX_DAYS).slice(1);
    const carried = await carryOver(await looksLast(others, { file, run, options }), lacks, options);
    return earlierOf({ file, run, carried, isFew: texts.isFew, options });
  }
  return undefined;
}

/** The files of the first `count` UTC days that have any. */
function ofDays(files: readonly KeptFile[], count: number): readonly KeptFile[] {
  const days = [...new Set(files.map(({ begun }) => utcDay(begun)))].slice(0, count);
  return files.filter(({ begun }) => days.includes(utcDay(begun)));
}

interface Base {
  readonly file: KeptFile;
  readonly run: IndexedRun;
  readonly options: EarlierOptions;
}

/**
 * The same files; later reviews than the one compared with come last, unless they are the same review, run again: what another
 * look showed, whoever reads the next letter may not have seen.
 */
async function looksLast(files: readonly KeptFile[], base: Base): Promise<readonly KeptFile[]> {
  const looks = new Set<KeptFile>();
  for (const file of files) {
    if (file.begun > base.file.begun && !(await isRunAgain(file, base))) looks.add(file);
  }
  return [...files.filter((file) => !looks.has(file)), ...looks];
}

/** Whether a review was compared with the same one, by the same rules. */
async function isRunAgain(file: KeptFile, { run, options }: Base): Promise<boolean> {
  try {
    const again = await openRunOf(await openTrusted(file, options), { host: options.context, report: SILENT });
    again.close();
    const [one, other] = [again.review, run.review];
    return !!one && !!other && one.compared?.name === other.compared?.name && hasSameRules(one.rules, other.rules);
  } catch (error) {
    // It has no values either.
    if (error instanceof ListError) return false;
    throw error;
  }
}

/** What is taken from another review where a row has none. */
const KINDS = ['answer', 'score', 'collateral'] as const;
type Kind = (typeof KINDS)[number];
const HAS: Readonly<Record<Kind, (row: Row) => boolean>> = {
  answer: ({ status }) => isAnswer(status),
  score: ({ score }) => score !== undefined,
  collateral: (row) => valueIn(collateralOf(row)) !== undefined,
};

/** By wallet, what the review compared with has not got. */
type Lacks = Map<string, readonly Kind[]>;

/** The score is read by the present path. */
const withScore = <R extends Row>(row: R, { scorePath }: EarlierOptions): R =>
  row.document ? { ...row, ...classify(row.document, scorePath) } : row;

interface Usable extends EarlierOptions {
  readonly onRow: (row: Row) => void;
}

/** The rows of a kept review; undefined, with a warning, for one that cannot be used. */
async function tryOpen(file: KeptFile, options: Usable): Promise<IndexedRun | undefined> {
  const { context, onRow } = options;
  const passOver = (why: string) => {
    context.report.warn(`the kept review ${shownPath(file.path)} is passed over: ${why}`);
    return undefined;
  };
  try {
    const plain = await openTrusted(file, options);
    const run = await indexRunOf(plain, { host: context, report: { info: context.report.info, warn() {} }, onRow });
    const why = whyUseless(run, options);
    if (why === undefined) return run;
    run.close();
    return passOver(why);
  } catch (error) {
    if (error instanceof ListError) return passOver(error.message);
    throw error;
  }
}

function whyUseless({ review, end }: Pick<IndexedRun, 'review' | 'end'>, { base }: EarlierOptions): string | undefined {
  if (!review) return 'it is not a kept review';
  if (review.baseUrl !== base) return `its answers are from ${review.baseUrl}`;
  return end() ? undefined : 'it is torn: its last line is missing';
}

/** @throws ListError for a file that cannot be read, or is not to be believed */
export async function openTrusted(
  file: KeptFile,
  { context, trustsAll }: Pick<EarlierOptions, 'context' | 'trustsAll'>,
): Promise<PlainFile> {
  const { plain, distrust } = await openKept(file, context, context.uid);
  if (distrust === undefined) return plain;
  if (!trustsAll) {
    plain.close();
    throw new ListError(distrust);
  }
  context.report.info(`the kept review ${shownPath(file.path)}: ${distrust}`);
  return plain;
}

interface Carried {
  /** By wallet, the row of another review that has what is missing. */
  readonly rows: Readonly<Record<Kind, ReadonlyMap<string, () => Row>>>;
  readonly from: readonly ReadFile[];
  close(): void;
}

/** Looks in `files`, in their order, for what wallets still lack, and removes from `lacks` what it finds. */
async function carryOver(files: readonly KeptFile[], lacks: Lacks, options: EarlierOptions): Promise<Carried> {
  const rows = { answer: new Map(), score: new Map(), collateral: new Map() };
  const from: ReadFile[] = [];
  const opened: PlainFile[] = [];
  for (const file of files) {
    if (lacks.size === 0) break;
    const found = await findRows(file, lacks, options);
    if (!found) continue;
    opened.push(found.plain);
    from.push({ name: bareName(file), sha256: found.sha256 });
    const read = rowReader(found.plain);
    for (const [key, { at, kinds }] of found.places) {
      for (const kind of kinds) rows[kind].set(key, () => withScore(read(at), options));
      const left = (lacks.get(key) ?? []).filter((kind) => !kinds.includes(kind));
      if (left.length > 0) lacks.set(key, left);
      else lacks.delete(key);
    }
  }
  return { rows, from, close: () => closeAll(opened) };
}

function closeAll(files: readonly PlainFile[]): void {
  for (const file of files) file.close();
}

interface Place {
  readonly at: number;
  /** What the row there has of what is lacking. */
  readonly kinds: readonly Kind[];
}

/** Where the file has what wallets lack; undefined where it has nothing, or cannot be used: then another file is asked. */
async function findRows(file: KeptFile, lacks: Lacks, options: EarlierOptions) {
  const { context } = options;
  const places = new Map<string, Place>();
  let plain: PlainFile | undefined;
  try {
    plain = await openTrusted(file, options);
    const run = await openRunOf({ ...plain, close() {} }, { host: context, report: SILENT });
    for await (const written of run.rows) {
      context.signal().throwIfAborted();
      const key = rowKey(written);
      const lacking = lacks.get(key);
      if (!lacking || places.has(key) || written.at === undefined) continue;
      const row = withScore(written, options);
      const kinds = lacking.filter((kind) => HAS[kind](row));
      if (kinds.length > 0) places.set(key, { at: written.at, kinds });
    }
    if (places.size > 0 && whyUseless(run, options) === undefined) {
      return { plain, places, sha256: run.end()?.fileSha256 ?? '' };
    }
  } catch (error) {
    if (!(error instanceof ListError)) {
      plain?.close();
      throw error;
    }
  }
  plain?.close();
  return undefined;
}

interface Opened {
  readonly file: KeptFile;
  readonly run: IndexedRun;
  readonly carried: Carried;
  readonly isFew: (field: string) => boolean;
  readonly options: EarlierOptions;
}

function earlierOf({ file, run, carried, isFew, options }: Opened): EarlierReview {
  const { index, review: header } = run;
  if (!header) throw new TypeError('a review without its first line is passed over');
  return {
    file,
    header,
    sha256: run.end()?.fileSha256 ?? '',
    valuesFrom: carried.from,
    isFew,
    keys: index.keys,
    walletOf(key) {
      const rows = index.rowsOf(key).map((row) => withScore(row, options));
      const [own] = rows;
      if (!own) return undefined;
      const row = carried.rows.answer.get(key)?.() ?? own;
      const other = (kind: Kind) => (HAS[kind](row) ? row : (carried.rows[kind].get(key)?.() ?? row));
      return { rows, own, row, scored: other('score'), valued: other('collateral') };
    },
    close() {
      carried.close();
      run.close();
    },
  };
}

/** The value of an earlier row at a path: what is in `defi_score`, and the score, as they were when there was one. */
function findEarlier({ row, scored, valued }: EarlierWallet, scorePath: Path | undefined): Find {
  const homes = ['defi_score', scorePath?.[0]];
  return (path) => {
    const isOfScore = homes.includes(path[0]) || (path[0] === META && path[1] === 'score');
    return findIn(isOfScore ? scored : path[0] === 'total_collateral_usd' ? valued : row)(path);
  };
}

/** A wallet has changed when one of these has. */
const COMPARED_PATHS: readonly Path[] = [[META, 'status'], [META, 'score'], ['total_collateral_usd']];

const valuesOf = (find: Find): RowValues => COMPARED_PATHS.map((path) => valueIn(find(path)));

/** What conditions on change ask of a row. @param before undefined for a wallet that came */
export function findCompared(row: Row, before: EarlierWallet | undefined, scorePath: Path | undefined): FindCompared {
  const now = findIn(row);
  const old = before && findEarlier(before, scorePath);
  const { change } = compareRows(old && valuesOf(old), valuesOf(now));
  return findChange(now, { change, old });
}
