/**
 * Fields with few values, such as a level of risk: how many rows have which. Which fields these are shows only at the end,
 * so every field is counted until it has too many values to be one.
 */
import type { Node, ObjectNode } from '../../../document/node.ts';
import { formatPath, type Path } from '../../../document/path.ts';
import { cellText } from '../../../document/write.ts';
import { ownCopy } from '../../../text/own-copy.ts';

/** A field with few values. */
export interface Share {
  readonly path: Path;
  /** Other fields that divide the rows in the same way. */
  readonly alike: readonly Path[];
  /** The most frequent first. */
  readonly values: readonly { readonly text: string; readonly count: number }[];
  /** The place among `values` of the one that a row had, by the numbers that it was given; -1 when it had none. */
  readonly numberIn: (numbers: ArrayLike<number>) => number;
}

const MAX_VALUES = 12;
/** A value that is longer is a text and no kind. */
const MAX_VALUE_LENGTH = 60;
/** Objects with more members are keyed by something that grows: tokens, protocols, wallets. */
const MAX_MEMBERS = 40;
const MAX_FIELDS = 500;
const MAX_SHARES = 12;
const MAX_DEPTH = 6;

interface Counts {
  readonly path: Path;
  /** Its number among the fields. */
  readonly field: number;
  readonly values: Map<string, { readonly number: number; count: number }>;
  rows: number;
  /** Whether it has turned out to have too many values. */
  isClosed: boolean;
  /** Of the numbers of the values, row by row: two fields of one fingerprint divide the rows in the same way. */
  fingerprint: number;
}

/** A place in the rows: what is counted there, and what is inside of it. */
interface FieldNode {
  readonly path: Path;
  counts?: Counts | undefined;
  isClosed: boolean;
  readonly inside: Map<string, FieldNode>;
}

export function createShares() {
  const root = placeAt([]);
  const fields: Counts[] = [];
  let row = 0;
  /** What the row that is looked at has, by the number of the field. */
  const numbers = new Int8Array(MAX_FIELDS);

  function visit(place: FieldNode, node: Node): void {
    if (place.isClosed || node.kind === 'array') return;
    if (node.kind === 'object') visitMembers(place, node);
    else countValue(place, node);
  }

  function visitMembers(place: FieldNode, node: ObjectNode): void {
    if (place.path.length >= MAX_DEPTH) return;
    for (const [key, value] of node.members) {
      if (place.isClosed) return;
      if (!isCounted(place.path, key)) continue;
      const inner = memberAt(place, key);
      if (inner) visit(inner, value);
      else close(place);
    }
  }

  function countValue(place: FieldNode, node: Node): void {
    const text = cellText(node);
    if (text === '') return;
    if (!place.counts) {
      if (fields.length === MAX_FIELDS) return;
      const [path, field] = [place.path, fields.length];
      place.counts = { path, field, values: new Map(), rows: 0, isClosed: false, fingerprint: 0 };
      fields.push(place.counts);
    }
    const number = addValue(place.counts, text, row);
    if (number === undefined) close(place);
    else numbers[place.counts.field] = number;
  }

  return {
    /**
     * Takes note of what an answered row has. The numbers returned say which values these were, for `Share.numberIn`; they are
     * overwritten by the next row.
     */
    observe(node: ObjectNode): Int8Array {
      row += 1;
      numbers.fill(-1);
      visit(root, node);
      return numbers.subarray(0, fields.length);
    },
    all: () => sharesOf(fields),
  };
}

const placeAt = (path: Path): FieldNode => ({ path, isClosed: false, inside: new Map() });

/** The place called `key` inside of `place`; undefined when it would be one too many. */
function memberAt(place: FieldNode, key: string): FieldNode | undefined {
  const known = place.inside.get(key);
  if (known || place.inside.size === MAX_MEMBERS) return known;
  const name = ownCopy(key);
  const made = placeAt([...place.path, name]);
  place.inside.set(name, made);
  return made;
}

/** The number of the value `text`, counted once more; undefined when it would be one too many, or is no kind. */
function addValue(counts: Counts, text: string, row: number): number | undefined {
  const value = counts.values.get(text) ?? { number: counts.values.size, count: 0 };
  if (value.number === MAX_VALUES || text.length > MAX_VALUE_LENGTH) return undefined;
  if (value.count === 0) counts.values.set(ownCopy(text), value);
  value.count += 1;
  counts.rows += 1;
  counts.fingerprint = (Math.imul(counts.fingerprint, 31) + Math.imul(row, 7) + value.number + 1) | 0;
  return value.number;
}

function close(place: FieldNode): void {
  place.isClosed = true;
  for (const inner of place.inside.values()) close(inner);
  place.inside.clear();
  if (place.counts) place.counts.isClosed = true;
}

/** The wallet is told apart anyway, and of what riskcli adds only what came with the list says more than other charts. */
function isCounted(within: Path, key: string): boolean {
  if (within.length === 0) return key !== 'wallet_address';
  return within.length !== 1 || within[0] !== '_meta' || key === 'input' || key === 'file';
}

/** A field in which hardly a value comes twice divides nothing, and one with a single value neither. */
const divides = ({ values, rows, isClosed }: Counts) => !isClosed && values.size > 1 && 2 * values.size <= rows;

function sharesOf(fields: readonly Counts[]): readonly Share[] {
  const groups = new Map<string, Counts[]>();
  for (const counts of fields.filter(divides)) {
    const key = `${counts.rows} ${counts.values.size} ${counts.fingerprint}`;
    groups.set(key, [...(groups.get(key) ?? []), counts]);
  }
  return [...groups.values()]
    .slice(0, MAX_SHARES)
    .flatMap(([first, ...others]) => (first ? [shareOf(first, others)] : []));
}

function shareOf({ path, field, values }: Counts, others: readonly Counts[]): Share {
  const sorted = [...values].sort(([a, { count }], [b, other]) => other.count - count || (a < b ? -1 : 1));
  const places = new Map(sorted.map(([, { number }], place) => [number, place]));
  return {
    path,
    // A column of the list that stands before picked fields is found as either.
    alike: others.map(({ path }) => path).filter((other) => shareName(other) !== shareName(path)),
    values: sorted.map(([text, { count }]) => ({ text, count })),
    numberIn: (numbers) => places.get(numbers[field] ?? -1) ?? -1,
  };
}

/** The name of the field that services of this kind have beside the score. */
const LEVEL = 'risk_level';

/**
 * The place among `shares` of the field that is nearest to the score: the level of risk, else the first of the fields with the
 * fewest steps beside it. Undefined when none is.
 */
export function levelAmong(shares: readonly Share[]): number | undefined {
  const named = shares.findIndex(({ path, alike }) => [path, ...alike].some((one) => one.at(-1) === LEVEL));
  if (named >= 0) return named;
  const beside = [...shares.entries()].filter(([, { path }]) => path[0] === 'defi_score');
  return beside.sort(([, a], [, b]) => a.path.length - b.path.length)[0]?.[0];
}

/** What a field is called: a column of the list by its own name, as it was there. */
export function shareName(path: Path): string {
  return formatPath(path[0] === '_meta' ? path.slice(path[1] === 'input' && path.length > 2 ? 2 : 1) : path);
}
