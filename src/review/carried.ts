/** The values of wallets that the review compared with has not got: they are taken from other kept reviews. */
import { valueIn } from '../compare/compare.ts';
import type { Path } from '../document/path.ts';
import { ListError } from '../errors.ts';
import type { PlainFile } from '../lists/plain-file.ts';
import { classify, type Row } from '../row/row.ts';
import type { IndexedRun } from '../runs/index-run.ts';
import { bareName, type KeptFile } from '../runs/keep-folder.ts';
import type { ReadFile } from '../runs/kept-review.ts';
import { openRunOf, SILENT } from '../runs/open-run.ts';
import { rowKey, rowReader } from '../runs/row-index.ts';
import { collateralOf, isAnswer } from '../runs/run.ts';
import { utcDay } from '../text/when.ts';
import { openTrusted, type TrustOptions } from './open-trusted.ts';
import { hasSameRules } from './same-rules.ts';

export interface EarlierOptions extends TrustOptions {
  /** The present path of the score, by which earlier answers are read. */
  readonly scorePath: Path | undefined;
  /** The service whose answers are compared. */
  readonly base: string;
}

/** UTC days of whose reviews a wallet is looked for: many runs of one day must not hide the weeks before. */
const MAX_DAYS = 10;

/** What is taken from another review where a row has none. */
export const KINDS = ['answer', 'score', 'collateral'] as const;
export type Kind = (typeof KINDS)[number];
export const HAS: Readonly<Record<Kind, (row: Row) => boolean>> = {
  answer: ({ status }) => isAnswer(status),
  score: ({ score }) => score !== undefined,
  collateral: (row) => valueIn(collateralOf(row)) !== undefined,
};

/** By wallet, what the review compared with has not got. */
export type Lacks = Map<string, readonly Kind[]>;

/** The score is read by the present path. */
export const withScore = <R extends Row>(row: R, { scorePath }: EarlierOptions): R =>
  row.document ? { ...row, ...classify(row.document, scorePath) } : row;

export interface Carried {
  /** By wallet, the row of another review that has what is missing. */
  readonly rows: Readonly<Record<Kind, ReadonlyMap<string, () => Row>>>;
  /** The wallets whose answer is from the review compared with itself, which was run again for those that had none. */
  readonly fromRunAgain: ReadonlySet<string>;
  readonly from: readonly ReadFile[];
  close(): void;
}

/** The files of the first `count` UTC days that have any. */
function ofDays(files: readonly KeptFile[], count: number): readonly KeptFile[] {
  const days = [...new Set(files.map(({ begun }) => utcDay(begun)))].slice(0, count);
  return files.filter(({ begun }) => days.includes(utcDay(begun)));
}

/** The review compared with. */
export interface Base {
  readonly file: KeptFile;
  readonly run: IndexedRun;
  readonly options: EarlierOptions;
}

/**
 * The same files; later reviews than the one compared with come last, unless they are the same review, run again: what another
 * look showed, whoever reads the next letter may not have seen.
 */
async function looksLast(files: readonly KeptFile[], base: Base) {
  const near: { file: KeptFile; isRunAgain: boolean }[] = [];
  const looks: typeof near = [];
  for (const file of files) {
    const isLater = file.begun > base.file.begun;
    const isSame = isLater && (await isRunAgain(file, base));
    (isLater && !isSame ? looks : near).push({ file, isRunAgain: isSame });
  }
  return [...near, ...looks];
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

/** Looks in `files`, behind the review compared with, for what its wallets lack, and removes from `lacks` what it finds. */
export async function carryOver(files: readonly KeptFile[], lacks: Lacks, base: Base): Promise<Carried> {
  const { options } = base;
  const rows = { answer: new Map(), score: new Map(), collateral: new Map() };
  const from: ReadFile[] = [];
  const opened: PlainFile[] = [];
  const fromRunAgain = new Set<string>();
  const behind = lacks.size === 0 ? [] : await looksLast(ofDays([base.file, ...files], MAX_DAYS).slice(1), base);
  for (const { file, isRunAgain } of behind) {
    if (lacks.size === 0) break;
    const found = await findRows(file, lacks, options);
    if (!found) continue;
    opened.push(found.plain);
    from.push({ name: bareName(file), sha256: found.sha256 });
    const read = rowReader(found.plain);
    for (const [key, { at, kinds }] of found.places) {
      for (const kind of kinds) rows[kind].set(key, () => withScore(read(at), options));
      if (isRunAgain && kinds.includes('answer')) fromRunAgain.add(key);
      const left = (lacks.get(key) ?? []).filter((kind) => !kinds.includes(kind));
      if (left.length > 0) lacks.set(key, left);
      else lacks.delete(key);
    }
  }
  return { rows, fromRunAgain, from, close: () => closeAll(opened) };
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

/** Why a kept review is not used; undefined for one that is. */
export function whyUseless(
  { review, end }: Pick<IndexedRun, 'review' | 'end'>,
  { base }: EarlierOptions,
): string | undefined {
  if (!review) return 'it is not a kept review';
  if (review.baseUrl !== base) return `its answers are from ${review.baseUrl}`;
  return end() ? undefined : 'it is torn: its last line is missing';
}
