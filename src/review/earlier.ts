/** The state and the base of a review, with their rows by wallet; usually they are one file. */
import { findChange } from '../compare/compare.ts';
import type { Path } from '../document/path.ts';
import type { Alarm, NotJudged } from '../row/kept.ts';
import { labelOf } from '../row/label.ts';
import { inputText, META, type Row } from '../row/row.ts';
import { findIn } from '../row/row-node.ts';
import type { ValueLookup } from '../rules/conditions.ts';
import { type IndexedRun, indexRun, walletText } from '../runs/index-run.ts';
import type { KeptReviews, OpenedReview } from '../runs/kept-reviews.ts';
import { type RunHost, SILENT } from '../runs/open-run.ts';
import type { RemovedWallet } from '../runs/review-lines.ts';
import { ownCopy } from '../text/own-copy.ts';
import { type EarlierWallet, earlierAnswer, type KeptWallet } from './alarms.ts';
import { beforeToday, chooseBase, type Since } from './choose.ts';

interface EarlierOptions {
  readonly host: RunHost;
  /** The present path of the score, by which earlier answers are read. */
  readonly scorePath: Path | undefined;
  readonly since: Since;
  /** When the review started, milliseconds since 1970. */
  readonly now: number;
}

type IndexedReview = Pick<IndexedRun, 'index' | 'close'> & { readonly kept: OpenedReview };

/** The two kept reviews with which a review is compared; neither is there in a new folder. */
export class EarlierReviews {
  /** The base and the state, or the one file that is both. */
  readonly #both: readonly IndexedReview[];
  /** The wallets that only today's list has. */
  readonly #added = new Set<string>();

  private constructor(
    private readonly indexedState: IndexedReview | undefined,
    private readonly indexedBase: IndexedReview | undefined,
    /**
     * Whether the base is younger than --since asks for, because no usable review is old enough.
     */
    readonly isBaseYoungerThanSince: boolean,
  ) {
    this.#both = [...new Set([indexedBase, indexedState])].filter((one) => one !== undefined);
  }

  /** Each file is read once, and named if it cannot be used. */
  static async open(reviews: KeptReviews, { host, scorePath, since, now }: EarlierOptions): Promise<EarlierReviews> {
    const options = { host, scorePath, rescores: true, report: SILENT };
    const indexed = async (kept: OpenedReview) => ({ ...(await indexRun(kept.plain, options)), kept });
    const files = beforeToday(reviews.files, now);
    const choice = chooseBase(files, since, now);
    const state = await reviews.firstUsable(files, indexed);
    const base = await reviews.firstUsable(choice.files, async (kept) =>
      state && kept.file.name === state.kept.file.name ? state : indexed(kept),
    );
    reviews.reportForeign(base !== undefined);
    return new EarlierReviews(state, base, base !== undefined && choice.isYoungerThanSince(base.kept.file));
  }

  get state(): OpenedReview | undefined {
    return this.indexedState?.kept;
  }

  get base(): OpenedReview | undefined {
    return this.indexedBase?.kept;
  }

  walletOf(key: string): EarlierWallet {
    const { indexedState, indexedBase } = this;
    const state = keptWallet(indexedState, key);
    return { state, base: indexedBase === indexedState ? state : keptWallet(indexedBase, key) };
  }

  /** Notes that today's list has a wallet. @returns whether this is its first row */
  addListed(key: string): boolean {
    const marks = this.#both.map(({ index }) => index.mark(key));
    const isFirst = marks.find((mark) => mark !== undefined);
    if (isFirst !== undefined) return isFirst;
    if (this.#added.has(key)) return false;
    this.#added.add(ownCopy(key));
    return true;
  }

  /** The wallets, and texts that are not wallets, of the two lists that today's does not have. */
  *removed(): Generator<string> {
    const [first, second] = this.#both;
    yield* first?.index.unmarkedKeys() ?? [];
    for (const key of second?.index.unmarkedKeys() ?? []) if (!first?.index.has(key)) yield key;
  }

  /** The spelling and the label of the wallet in the newest list that has it. */
  nameOf({ state, base }: EarlierWallet): Pick<RemovedWallet, 'wallet' | 'label'> {
    const { list, labelColumn } = (state ? this.state : this.base)?.header ?? {};
    const { wallet, input = '' } = (state ?? base)?.row ?? {};
    const text = wallet ?? walletText(input, list?.column) ?? inputText(input);
    return { wallet: text, label: labelOf(input, labelColumn) };
  }

  close(): void {
    for (const { close } of this.#both) close();
  }
}

/** All rows of a wallet together; undefined if it is not in the file. */
function keptWallet(review: Pick<IndexedRun, 'index'> | undefined, key: string): KeptWallet | undefined {
  const rows = review?.index.rowsOf(key) ?? [];
  const [row] = rows;
  if (!row) return undefined;
  return {
    row,
    alarms: mergeAlarms(rows),
    notJudged: earliestNotJudged(rows.flatMap(({ kept }) => kept?.notJudged ?? [])),
    last: row.kept?.last,
  };
}

/** The alarms of all rows of a wallet, with the earliest opening and the latest confirmation. */
export function mergeAlarms(rows: readonly Pick<Row, 'kept'>[]): readonly Alarm[] {
  const byRule = new Map<string, Alarm>();
  for (const alarm of rows.flatMap(({ kept }) => kept?.alarms ?? [])) {
    const other = byRule.get(alarm.rule);
    byRule.set(alarm.rule, other ? mergeTwo(other, alarm) : alarm);
  }
  return [...byRule.values()];
}

function mergeTwo(one: Alarm, other: Alarm): Alarm {
  const opened = one.opened < other.opened ? one.opened : other.opened;
  return one.confirmed >= other.confirmed ? { ...one, opened } : { ...other, opened };
}

export const earliestNotJudged = (all: readonly NotJudged[]): NotJudged | undefined =>
  all.reduce<NotJudged | undefined>((first, one) => (first && first.since <= one.since ? first : one), undefined);

/**
 * Finds the values of a row, and, for rules about a change, those of its earlier answer. Without an
 * answer, only the status and what is in the list are known.
 */
export function reviewLookup(row: Row, wallet: EarlierWallet, scorePath: Path | undefined): ValueLookup {
  const earlier = wallet.base && earlierAnswer(row, wallet.base, { scorePath });
  const find = findIn(row);
  if (row.document) return findChange(find, { change: 'changed', old: earlier && findIn(earlier) });
  return (path, aspect) => {
    if (aspect !== undefined) return earlier ? 'unknown' : 'never';
    return path[0] === META && KNOWN_WITHOUT_ANSWER.includes(path[1]) ? find(path) : 'unknown';
  };
}

const KNOWN_WITHOUT_ANSWER: readonly unknown[] = ['status', 'line', 'input'];
