/**
 * How wide the columns of a list's table are. A row is out before the next one is there, so a column only grows, from the
 * rows on that need it; where all do not fit, some give way.
 */
import { displayWidth } from '../../text/width.ts';

/** Between two columns. */
export const GAP = '  ';

const sum = (widths: readonly number[]) => widths.reduce((total, each) => total + each, 0);
/** What columns take with a gap before each. */
const withGaps = (widths: readonly number[]) => sum(widths) + widths.length * GAP.length;

/** Widths of columns of which none is worth more than another: where all do not fit, the widest give way. */
export function createWidths(names: readonly string[], width: number) {
  const room = width - (names.length - 1) * GAP.length;
  let wanted: readonly number[] = names.map((name) => Math.min(displayWidth(name), width));
  let fitted = fitInto(wanted, room);
  return {
    now: () => fitted,
    see(cells: readonly string[]) {
      const wider = widened(wanted, cells, width);
      if (isSame(wider, wanted)) return;
      wanted = wider;
      fitted = fitInto(wanted, room);
    },
  };
}

const widened = (wanted: readonly number[], cells: readonly string[], most: number) =>
  wanted.map((each, i) => Math.max(each, Math.min(displayWidth(cells[i] ?? ''), most)));

/** `wanted`, but that no column is wider than a level at which all fit into `room`, nor narrower for it than its `least`. */
function fitInto(wanted: readonly number[], room: number, least: readonly number[] = []): readonly number[] {
  const cutAt = (level: number) => wanted.map((each, i) => Math.min(each, Math.max(level, least[i] ?? 1)));
  let level = wanted.reduce((most, each) => Math.max(most, each), 1);
  while (level > 1 && sum(cutAt(level)) > room) level -= 1;
  const widths = cutAt(level);
  let left = Math.max(0, room - sum(widths));
  return widths.map((each, i) => (each < (wanted[i] ?? 0) && left-- > 0 ? each + 1 : each));
}

/** Of the usual columns; 0 where there is no room for one. */
export interface DefaultWidths {
  readonly wallet: number;
  readonly status: number;
  readonly collateral: number;
  readonly score: number;
  /** Of what --fields adds. */
  readonly added: readonly number[];
}

/** What a row has to show. */
interface Seen {
  /** The width of its wallet; undefined when it is none. */
  readonly wallet: number | undefined;
  readonly amounts: readonly [collateral: string, score: string];
  readonly added: readonly string[];
}

const ADDRESS_WIDTH = 42;
/** Less of an address tells nobody which it is. */
export const MIN_WALLET = 13;
/** The longest of the statuses. */
const STATUS_WIDTH = 8;
/** Columns of amounts begin as wide as most are, `$12,345,678.90` and `474.123`, lest each row moves them. */
const DEFAULT_AMOUNT_WIDTHS = [14, 7] as const;
/** What is wider is rare, and takes its room from its own row. */
const MAX_AMOUNT_WIDTH = 22;
/** An added column keeps the room for its name, within reason, before an address is shortened. */
const ADDED = { least: 8, most: 16 };

export function createDefaultWidths(names: readonly string[], width: number) {
  const least = names.map((name) => Math.max(ADDED.least, Math.min(ADDED.most, displayWidth(name))));
  let wanted: Wanted = {
    wallet: undefined,
    amounts: DEFAULT_AMOUNT_WIDTHS,
    added: names.map((name) => Math.min(displayWidth(name), width)),
  };
  let fitted = fitDefault(wanted, { width, least });
  return {
    now: () => fitted,
    see({ wallet, amounts, added }: Seen) {
      const wider = {
        wallet: wallet === undefined ? wanted.wallet : Math.max(wanted.wallet ?? MIN_WALLET, wallet),
        amounts: widened(wanted.amounts, amounts, MAX_AMOUNT_WIDTH),
        added: widened(wanted.added, added, width),
      };
      if (isSame(allOf(wider), allOf(wanted))) return;
      wanted = wider;
      fitted = fitDefault(wanted, { width, least });
    },
  };
}

interface Wanted {
  /** Undefined while no wallet was seen. */
  readonly wallet: number | undefined;
  readonly amounts: readonly number[];
  readonly added: readonly number[];
}

const allOf = ({ wallet = 0, amounts, added }: Wanted): readonly number[] => [wallet, ...amounts, ...added];
const isSame = (a: readonly number[], b: readonly number[]) => a.every((each, i) => each === b[i]);

interface Room {
  readonly width: number;
  /** To what the added columns give way. */
  readonly least: readonly number[];
}

/** A terminal too narrow for all shortens what was added, then the wallet, and then does without a column. */
function fitDefault({ wallet = ADDRESS_WIDTH, amounts, added }: Wanted, { width, least }: Room): DefaultWidths {
  const floors = added.map((each, i) => Math.min(each, least[i] ?? 0));
  const room = width - withGaps(floors);
  const [collateralWidth = 0, scoreWidth = 0] = amounts;
  const status = room < 33 ? 0 : STATUS_WIDTH;
  const collateral = room < 51 ? 0 : collateralWidth;
  const score = room < 33 ? 5 : scoreWidth;
  const taken = withGaps([status, collateral, score].filter((each) => each > 0));
  const fitted = fitInto(added, width - wallet - taken - added.length * GAP.length, floors);
  const left = width - taken - withGaps(fitted);
  return { wallet: Math.max(1, Math.min(wallet, left)), status, collateral, score, added: fitted };
}
