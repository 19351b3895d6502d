/**
 * The earlier side of a wallet: its rows in the review compared with, and for what it lacks there
 * its rows in other ones.
 */
import { type ComparedValues, compareRows, findChange, presentValue } from '../compare/compare.ts';
import type { Path } from '../document/path.ts';
import { type Find, findIn, META, type Row } from '../row/row.ts';
import type { FindCompared } from '../rules/conditions.ts';
import { type KeptFile, unpackedName } from '../runs/review-folder.ts';
import type { ReviewHeader } from '../runs/review-lines.ts';
import type { RowIndex } from '../runs/row-index.ts';
import { collateralOf, isAnswer } from '../runs/run.ts';

/** What a wallet may lack in a review. */
export type EarlierValue = 'answer' | 'score' | 'collateral';
/** The same of an answer that is complete. */
type CompleteValue = `complete ${EarlierValue}`;
export type CarriedValue = EarlierValue | CompleteValue;

const hasCollateral = (row: Row) => presentValue(collateralOf(row)) !== undefined;
const isComplete = ({ status, warning }: Row) => isAnswer(status) && warning === undefined;

export const HAS: Readonly<Record<CarriedValue, (row: Row) => boolean>> = {
  answer: ({ status }) => isAnswer(status),
  score: ({ score }) => score !== undefined,
  collateral: hasCollateral,
  'complete answer': isComplete,
  'complete score': (row) => isComplete(row) && row.score !== undefined,
  'complete collateral': (row) => isComplete(row) && hasCollateral(row),
};

/** What is taken from another review where a row has none. */
export const CARRIED_VALUES = Object.keys(HAS) as readonly CarriedValue[];

/** A row with which today's is compared. */
export interface EarlierRow {
  readonly row: Row;
  /** Whether it is from another review than the one compared with. */
  readonly isCarried: boolean;
}

/**
 * The earlier side of a wallet: the row that has its answer, the one with its score and the texts
 * of that, and so on.
 */
export interface EarlierWallet extends Readonly<Record<EarlierValue | 'complete answer', EarlierRow>> {
  /**
   * What the review compared with said of it; where that was run again for want of an answer, what
   * it said then.
   */
  readonly rows: readonly Row[];
  /** Its first row in the review compared with. */
  readonly own: Row;
}

/** A kept review whose rows can be asked for by wallet. */
export interface OpenedReview {
  readonly file: KeptFile;
  readonly header: ReviewHeader;
  /** Of its bytes, unpacked. */
  readonly sha256: string;
  readonly index: RowIndex;
  /** Whether it is the review compared with, run again later. */
  readonly isRunAgain: boolean;
  close(): void;
}

export type EarlierReview = ReturnType<typeof earlierReview>;

/**
 * @param base the review compared with
 * @param others those behind it, in the order in which they are asked; they have only rows with
 * what wallets lack
 * @param hasFewValues whether a text of the score had few values in `base`
 */
export function earlierReview(
  base: OpenedReview,
  others: readonly OpenedReview[],
  hasFewValues: (field: string) => boolean,
) {
  const { file, header, sha256, index } = base;
  return {
    file,
    header,
    sha256,
    hasFewValues,
    /** The other kept reviews that rows are from. */
    valuesFrom: others
      .filter((other) => other.index.size > 0)
      .map((other) => ({ name: unpackedName(other.file), sha256: other.sha256 })),
    walletKeys: index.walletKeys,
    /**
     * Undefined for a wallet that came.
     * @param today its row of today: a complete answer is compared with the last complete one
     */
    walletOf(key: string, today?: Row): EarlierWallet | undefined {
      const written = index.rowsOf(key);
      const [own] = written;
      if (!own) return undefined;
      const ownRow = { row: own, isCarried: false, isRunAgain: false };
      const all = [
        ownRow,
        ...others.flatMap((other) =>
          other.index.rowsOf(key).map((row) => ({ row, isCarried: true, isRunAgain: other.isRunAgain })),
        ),
      ];
      const first = (value: CarriedValue) => all.find(({ row }) => HAS[value](row));
      const asToday = (value: EarlierValue) =>
        (today && isComplete(today) ? first(`complete ${value}`) : undefined) ?? first(value);
      const answer = asToday('answer') ?? ownRow;
      return {
        rows: answer.isRunAgain ? [answer.row] : written,
        own,
        answer,
        score: asToday('score') ?? answer,
        collateral: asToday('collateral') ?? answer,
        'complete answer': first('complete answer') ?? answer,
      };
    },
    close() {
      for (const review of [base, ...others]) review.close();
    },
  };
}

/**
 * The value of an earlier row at a path; what is in `defi_score`, and the score, as they were when
 * there was one.
 */
function findEarlier({ answer, score, collateral }: EarlierWallet, scorePath: Path | undefined): Find {
  const scoreHomes = ['defi_score', scorePath?.[0]];
  return (path) => {
    const isOfScore = scoreHomes.includes(path[0]) || (path[0] === META && path[1] === 'score');
    const { row } = isOfScore ? score : path[0] === 'total_collateral_usd' ? collateral : answer;
    return findIn(row)(path);
  };
}

/** A wallet has changed when one of these has. */
const COMPARED_PATHS: readonly Path[] = [[META, 'status'], [META, 'score'], ['total_collateral_usd']];

const valuesFoundBy = (find: Find): ComparedValues => COMPARED_PATHS.map((path) => presentValue(find(path)));

/** What conditions on change ask of a row. @param before undefined for a wallet that came */
export function findCompared(row: Row, before: EarlierWallet | undefined, scorePath: Path | undefined): FindCompared {
  const now = findIn(row);
  const old = before && findEarlier(before, scorePath);
  const { change } = compareRows(old && valuesFoundBy(old), valuesFoundBy(now));
  return findChange(now, { change, old });
}
