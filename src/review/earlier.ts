/** The state and the base of a review, with their rows by wallet; usually they are one file. */
import { findChange } from '../compare/compare.ts';
import type { Path } from '../document/path.ts';
import type { Alarm, NotJudged } from '../row/kept.ts';
import { labelOf } from '../row/label.ts';
import { inputText, META, type Row } from '../row/row.ts';
import { findIn } from '../row/row-node.ts';
import type { FindCompared } from '../rules/conditions.ts';
import { type IndexedRun, indexRun, walletText } from '../runs/index-run.ts';
import type { KeptReviews, OpenedKept } from '../runs/kept-reviews.ts';
import { type RunHost, SILENT } from '../runs/open-run.ts';
import type { KeptFile } from '../runs/review-folder.ts';
import type { RemovedWallet } from '../runs/review-lines.ts';
import { ownCopy } from '../text/own-copy.ts';
import { chooseBase, ofEarlierDays, type Since } from './choose.ts';
import { type EarlierWallet, earlierAnswer, type KeptWallet } from './step.ts';

export interface EarlierOptions {
  readonly host: RunHost;
  /** The present path of the score, by which earlier answers are read. */
  readonly scorePath: Path | undefined;
  readonly since: Since;
  /** When the review started, milliseconds since 1970. */
  readonly now: number;
}

interface IndexedReview {
  readonly kept: OpenedKept;
  readonly index: IndexedRun['index'];
  close(): void;
}

/** The two kept reviews with which a review is compared; neither is there in a new folder. */
export class EarlierReviews {
  /** The wallets that only today's list has. */
  private readonly added = new Set<string>();

  private constructor(
    private readonly indexedState: IndexedReview | undefined,
    private readonly indexedBase: IndexedReview | undefined,
    /** Whether the base is the oldest review, and younger than --since asks for. */
    readonly isBaseTooYoung: boolean,
  ) {}

  /** Each file is read once, and named if it cannot be used. */
  static async open(reviews: KeptReviews, options: EarlierOptions): Promise<EarlierReviews> {
    const { since, now } = options;
    const files = ofEarlierDays(reviews.files, now);
    const state = await firstIndexed(reviews, files, options);
    const choice = chooseBase(files, since, now);
    const base = await firstIndexed(reviews, choice.files, options, state);
    reviews.reportForeign(base !== undefined);
    return new EarlierReviews(state, base, base !== undefined && choice.isTooYoung(base.kept.file));
  }

  get state(): OpenedKept | undefined {
    return this.indexedState?.kept;
  }

  get base(): OpenedKept | undefined {
    return this.indexedBase?.kept;
  }

  walletOf(key: string): EarlierWallet {
    const { indexedState, indexedBase } = this;
    const state = keptWallet(indexedState, key);
    return { state, base: indexedBase === indexedState ? state : keptWallet(indexedBase, key) };
  }

  /** Notes that today's list has a wallet. @returns whether this is its first row */
  noteListed(key: string): boolean {
    const { indexedState, indexedBase, added } = this;
    const inBase = indexedBase?.index.mark(key);
    const inState = indexedState === indexedBase ? undefined : indexedState?.index.mark(key);
    const isFirst = inBase ?? inState ?? !added.has(key);
    if (inBase === undefined && inState === undefined && isFirst) added.add(ownCopy(key));
    return isFirst;
  }

  /** The wallets, and texts that are not wallets, of the two lists that today's does not have. */
  *removed(): Generator<string> {
    const { indexedState, indexedBase } = this;
    yield* indexedBase?.index.unmarkedKeys() ?? [];
    if (indexedState === indexedBase) return;
    for (const key of indexedState?.index.unmarkedKeys() ?? []) if (!indexedBase?.index.has(key)) yield key;
  }

  /** The spelling and the label of a wallet in the newest list that has it. */
  nameOf({ state, base }: EarlierWallet): Pick<RemovedWallet, 'wallet' | 'label'> {
    const { list, labelColumn } = (state ? this.state : this.base)?.header ?? {};
    const { wallet, input = '' } = (state ?? base)?.row ?? {};
    return {
      wallet: wallet ?? walletText(input, list?.column) ?? inputText(input),
      label: labelOf(input, labelColumn),
    };
  }

  close(): void {
    this.indexedState?.close();
    if (this.indexedBase !== this.indexedState) this.indexedBase?.close();
  }
}

/** The first of `files` that can be used, indexed; `known` is indexed already. */
async function firstIndexed(
  reviews: KeptReviews,
  files: readonly KeptFile[],
  options: EarlierOptions,
  known?: IndexedReview,
): Promise<IndexedReview | undefined> {
  const { host, scorePath } = options;
  return reviews.firstUsable(files, async (kept) => {
    if (kept.file.name === known?.kept.file.name) return known;
    const run = await indexRun(kept.plain, { host, scorePath, rescores: true, report: SILENT, isInspected: true });
    return { kept, index: run.index, close: run.close };
  });
}

/** All rows of a wallet together; undefined if it is not in the file. */
function keptWallet(review: IndexedReview | undefined, key: string): KeptWallet | undefined {
  const rows = review?.index.rowsOf(key) ?? [];
  const [row] = rows;
  if (!row) return undefined;
  return {
    row,
    alarms: joinedAlarms(rows),
    notJudged: earliest(rows.flatMap(({ kept }) => kept?.notJudged ?? [])),
    last: row.kept?.last,
  };
}

/** The alarms of all rows of a wallet, with the earliest opening and the latest confirmation. */
export function joinedAlarms(rows: readonly Pick<Row, 'kept'>[]): readonly Alarm[] {
  const byRule = new Map<string, Alarm>();
  for (const alarm of rows.flatMap(({ kept }) => kept?.alarms ?? [])) {
    const other = byRule.get(alarm.rule);
    byRule.set(alarm.rule, other ? joined(other, alarm) : alarm);
  }
  return [...byRule.values()];
}

function joined(one: Alarm, other: Alarm): Alarm {
  const opened = one.opened < other.opened ? one.opened : other.opened;
  return one.confirmed >= other.confirmed ? { ...one, opened } : { ...other, opened };
}

export const earliest = (all: readonly NotJudged[]): NotJudged | undefined =>
  all.reduce<NotJudged | undefined>((first, one) => (first && first.since <= one.since ? first : one), undefined);

/**
 * Finds the values of a row, and for rules on change those of its earlier answer. Without an answer
 * only what the list says and the status are known.
 */
export function findCompared(row: Row, wallet: EarlierWallet, scorePath: Path | undefined): FindCompared {
  const earlier = wallet.base && earlierAnswer(row, wallet.base, { scorePath });
  const find = findIn(row);
  if (row.document) return findChange(find, { change: 'changed', old: earlier && findIn(earlier) });
  return (path, aspect) => {
    if (aspect !== undefined) return earlier ? 'unknown' : 'never';
    return path[0] === META && KNOWN_WITHOUT_ANSWER.includes(path[1]) ? find(path) : 'unknown';
  };
}

const KNOWN_WITHOUT_ANSWER: readonly unknown[] = ['status', 'line', 'input'];
