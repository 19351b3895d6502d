/** The values of wallets that the review compared with has not got: they are taken from other kept reviews. */
import { presentValue } from '../compare/compare.ts';
import type { Path } from '../document/path.ts';
import { ListError } from '../errors.ts';
import type { PlainFile } from '../lists/plain-file.ts';
import type { Row } from '../row/row.ts';
import { openKept, type TrustOptions } from '../runs/open-kept.ts';
import { openRun, SILENT } from '../runs/open-run.ts';
import { type KeptFile, unpackedName } from '../runs/review-folder.ts';
import type { ReadFile, ReviewHeader } from '../runs/review-lines.ts';
import { rowKey, rowReader } from '../runs/row-index.ts';
import { collateralOf, isAnswer, type Run } from '../runs/run.ts';
import { utcDay } from '../text/when.ts';
import { haveSameRules } from './same-rules.ts';

export interface EarlierOptions extends TrustOptions {
  /** The present path of the score, by which earlier answers are read. */
  readonly scorePath: Path | undefined;
  /** The service whose answers are compared. */
  readonly base: string;
}

/** How the rows of earlier reviews are read: their scores by the present path. */
export const earlierReading = ({ context, scorePath }: EarlierOptions) =>
  ({ host: context, scorePath, rescores: true }) as const;

/** What is taken from another review where a row has none. */
export const CARRIED_VALUES = ['answer', 'score', 'collateral', 'complete answer'] as const;
export type CarriedValue = (typeof CARRIED_VALUES)[number];

export const HAS: Readonly<Record<CarriedValue, (row: Row) => boolean>> = {
  answer: ({ status }) => isAnswer(status),
  score: ({ score }) => score !== undefined,
  collateral: (row) => presentValue(collateralOf(row)) !== undefined,
  'complete answer': ({ status, warning }) => isAnswer(status) && warning === undefined,
};

/** What the review compared with has not got, by wallet. */
export type Lacks = Map<string, readonly CarriedValue[]>;

/** The review compared with. */
export interface Base {
  readonly file: KeptFile;
  readonly header: ReviewHeader;
  readonly options: EarlierOptions;
}

export interface Carried {
  /** The row of another review that has the value; undefined where none has, or where it was not lacking. */
  rowWith(value: CarriedValue, key: string): Row | undefined;
  /** Whether the answer is from the review compared with itself, which was run again for wallets that had none. */
  isFromRunAgain(key: string): boolean;
  /** The reviews that rows are from. */
  readonly from: readonly ReadFile[];
  close(): void;
}

/** Looks in `files`, behind the review compared with, for what its wallets lack, and removes from `lacks` what it finds. */
export async function carryOver(files: readonly KeptFile[], lacks: Lacks, base: Base): Promise<Carried> {
  const { options } = base;
  const rows = { answer: new Map(), score: new Map(), collateral: new Map(), 'complete answer': new Map() };
  const from: ReadFile[] = [];
  const opened: PlainFile[] = [];
  const fromRunAgain = new Set<string>();
  const behind = lacks.size === 0 ? [] : await otherReviews(files, base);
  for (const { file, isRunAgain } of behind) {
    if (lacks.size === 0) break;
    const found = await findRows(file, lacks, options);
    if (!found) continue;
    opened.push(found.plain);
    from.push({ name: unpackedName(file), sha256: found.sha256 });
    const read = rowReader({ ...earlierReading(options), ...found.plain });
    for (const [key, { at, values }] of found.places) {
      for (const value of values) rows[value].set(key, () => read(at));
      if (isRunAgain && values.includes('answer')) fromRunAgain.add(key);
      const left = (lacks.get(key) ?? []).filter((value) => !values.includes(value));
      if (left.length > 0) lacks.set(key, left);
      else lacks.delete(key);
    }
  }
  return {
    rowWith: (value, key) => rows[value].get(key)?.(),
    isFromRunAgain: (key) => fromRunAgain.has(key),
    from,
    close() {
      for (const file of opened) file.close();
    },
  };
}

interface OtherReview {
  readonly file: KeptFile;
  /** Whether it is the review compared with, run again later. */
  readonly isRunAgain: boolean;
}

/** UTC days of whose reviews a wallet is looked for: many runs of one day must not hide the weeks before. */
const MAX_DAYS = 10;

/**
 * The files behind the review compared with, in the order in which they are asked. Reviews after it come last, unless they are the
 * same review, run again: what another look showed, whoever reads the next letter may not have seen.
 */
async function otherReviews(files: readonly KeptFile[], base: Base): Promise<readonly OtherReview[]> {
  const days = [...new Set([base.file, ...files].map(({ begun }) => utcDay(begun)))].slice(0, MAX_DAYS);
  const [first, last]: [OtherReview[], OtherReview[]] = [[], []];
  for (const file of files) {
    if (!days.includes(utcDay(file.begun))) continue;
    const isLater = file.begun > base.file.begun;
    const isRunAgain = isLater && (await isSameReview(file, base));
    (isLater && !isRunAgain ? last : first).push({ file, isRunAgain });
  }
  return [...first, ...last];
}

/** Whether a review was compared with the same one, by the same rules. */
async function isSameReview(file: KeptFile, { header, options }: Base): Promise<boolean> {
  let plain: PlainFile | undefined;
  try {
    plain = await openKept(file, options);
    const { review: again } = await openRun(plain, { host: options.context, report: SILENT });
    const isOfSame = again?.compared?.name === header.compared?.name;
    return again !== undefined && isOfSame && haveSameRules(again.rules, header.rules);
  } catch (error) {
    // It has no values either.
    if (error instanceof ListError) return false;
    throw error;
  } finally {
    plain?.close();
  }
}

interface Place {
  readonly at: number;
  /** What the row there has of what is lacking. */
  readonly values: readonly CarriedValue[];
}

interface FoundRows {
  readonly plain: PlainFile;
  readonly places: ReadonlyMap<string, Place>;
  readonly sha256: string;
}

/** The file and where it has what wallets lack; undefined where it has nothing, or cannot be used: then another file is asked. */
async function findRows(file: KeptFile, lacks: Lacks, options: EarlierOptions): Promise<FoundRows | undefined> {
  let plain: PlainFile | undefined;
  let found: FoundRows | undefined;
  try {
    plain = await openKept(file, options);
    found = await findRowsIn(plain, lacks, options);
  } catch (error) {
    if (!(error instanceof ListError)) throw error;
  } finally {
    if (!found) plain?.close();
  }
  return found;
}

async function findRowsIn(plain: PlainFile, lacks: Lacks, options: EarlierOptions): Promise<FoundRows | undefined> {
  const places = new Map<string, Place>();
  const run = await openRun(plain, { ...earlierReading(options), report: SILENT });
  for await (const row of run.rows) {
    options.context.signal().throwIfAborted();
    const key = rowKey(row);
    const lacking = lacks.get(key);
    if (!lacking || places.has(key)) continue;
    const values = lacking.filter((value) => HAS[value](row));
    if (values.length > 0) places.set(key, { at: row.at, values });
  }
  const { sha256 } = usableReview(run, options);
  return places.size > 0 && run.hasPlaces ? { plain, places, sha256 } : undefined;
}

export interface UsableReview {
  readonly header: ReviewHeader;
  /** Of its bytes, unpacked. */
  readonly sha256: string;
}

/** What a kept review that can be compared says of itself, when its rows were read. @throws ListError for another file */
export function usableReview(run: Pick<Run, 'review' | 'end'>, { base }: EarlierOptions): UsableReview {
  const { review: header } = run;
  if (!header) throw new ListError('it is not a kept review');
  if (header.baseUrl !== base) throw new ListError(`its answers are from ${header.baseUrl}`);
  const end = run.end();
  if (!end) throw new ListError('it is torn: its last line is missing');
  return { header, sha256: end.fileSha256 };
}
