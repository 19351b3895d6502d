/**
 * Fields with few values, such as a level of risk: how many rows have which. Which fields these are shows only at the end,
 * so every field is counted until it has too many values to be one.
 */
import type { Node, ObjectNode } from '../../../document/node.ts';
import { formatPath, type Path } from '../../../document/path.ts';
import { cellText } from '../../../document/write.ts';
import { ownCopy } from '../../../text/own-copy.ts';

/** A field with few values. */
export interface FieldShare {
  readonly path: Path;
  /** Other fields that divide the rows in the same way. */
  readonly alike: readonly Path[];
  /** The most frequent first. */
  readonly values: readonly { readonly text: string; readonly count: number }[];
  /** The index in `values` of the one that a row had, by the numbers that it was given; -1 when it had none. */
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
  readonly number: number;
  readonly values: Map<string, { readonly number: number; count: number }>;
  rows: number;
  /** Whether it has turned out to have too many values. */
  isClosed: boolean;
  /** Of the numbers of the values, row by row: two fields of one fingerprint divide the rows in the same way. */
  fingerprint: number;
}

/** A field of the rows: what is counted of it, and what is inside of it. */
interface FieldNode {
  readonly path: Path;
  counts?: Counts | undefined;
  isClosed: boolean;
  readonly inside: Map<string, FieldNode>;
}

export class ShareCounter {
  private readonly root = fieldAt([]);
  private readonly fields: Counts[] = [];
  private rows = 0;
  /** What the row that is looked at has, by the number of the field. */
  private readonly numbers = new Int8Array(MAX_FIELDS);

  /**
   * Takes note of what an answered row has. The numbers returned say which values these were, for `FieldShare.numberIn`; they are
   * overwritten by the next row.
   */
  observe(node: ObjectNode): Int8Array {
    this.rows += 1;
    this.numbers.fill(-1);
    this.visit(this.root, node);
    return this.numbers.subarray(0, this.fields.length);
  }

  all(): readonly FieldShare[] {
    return sharesOf(this.fields);
  }

  private visit(field: FieldNode, node: Node): void {
    if (field.isClosed || node.kind === 'array') return;
    if (node.kind === 'object') this.visitMembers(field, node);
    else this.countValue(field, cellText(node));
  }

  private visitMembers(field: FieldNode, node: ObjectNode): void {
    if (field.path.length >= MAX_DEPTH) return;
    for (const [key, value] of node.members) {
      if (field.isClosed) return;
      if (!isCounted(field.path, key)) continue;
      const inner = memberAt(field, key);
      if (inner) this.visit(inner, value);
      else close(field);
    }
  }

  private countValue(field: FieldNode, text: string): void {
    const { fields, numbers, rows } = this;
    if (text === '') return;
    if (!field.counts) {
      if (fields.length === MAX_FIELDS) return;
      field.counts = countsFor(field.path, fields.length);
      fields.push(field.counts);
    }
    const number = addValue(field.counts, text, rows);
    if (number === undefined) close(field);
    else numbers[field.counts.number] = number;
  }
}

const countsFor = (path: Path, number: number): Counts => ({
  path,
  number,
  values: new Map(),
  rows: 0,
  isClosed: false,
  fingerprint: 0,
});

const fieldAt = (path: Path): FieldNode => ({ path, isClosed: false, inside: new Map() });

/** The field `key` inside of `field`; undefined when it would be one too many. */
function memberAt(field: FieldNode, key: string): FieldNode | undefined {
  const known = field.inside.get(key);
  if (known || field.inside.size === MAX_MEMBERS) return known;
  const name = ownCopy(key);
  const made = fieldAt([...field.path, name]);
  field.inside.set(name, made);
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

function close(field: FieldNode): void {
  field.isClosed = true;
  for (const inner of field.inside.values()) close(inner);
  field.inside.clear();
  if (field.counts) field.counts.isClosed = true;
}

/** The wallet is told apart anyway, and of what riskcli adds only what came with the list says more than other charts. */
function isCounted(within: Path, key: string): boolean {
  if (within.length === 0) return key !== 'wallet_address';
  return within.length !== 1 || within[0] !== '_meta' || key === 'input' || key === 'file';
}

/** A field in which hardly a value comes twice divides nothing, and one with a single value neither. */
const divides = ({ values, rows, isClosed }: Counts) => !isClosed && values.size > 1 && 2 * values.size <= rows;

function sharesOf(fields: readonly Counts[]): readonly FieldShare[] {
  const groups = new Map<string, Counts[]>();
  for (const counts of fields.filter(divides)) {
    const key = `${counts.rows} ${counts.values.size} ${counts.fingerprint}`;
    groups.set(key, [...(groups.get(key) ?? []), counts]);
  }
  return [...groups.values()]
    .slice(0, MAX_SHARES)
    .flatMap(([first, ...others]) => (first ? [shareOf(first, others)] : []));
}

function shareOf({ path, number: field, values }: Counts, others: readonly Counts[]): FieldShare {
  const sorted = [...values].sort(([a, { count }], [b, other]) => other.count - count || (a < b ? -1 : 1));
  const ranks = new Map(sorted.map(([, { number }], rank) => [number, rank]));
  return {
    path,
    // A column of the list that stands before picked fields is found as either.
    alike: others.map(({ path }) => path).filter((other) => shareName(other) !== shareName(path)),
    values: sorted.map(([text, { count }]) => ({ text, count })),
    numberIn: (numbers) => ranks.get(numbers[field] ?? -1) ?? -1,
  };
}

/** The name of the field that services of this kind have beside the score. */
const LEVEL = 'risk_level';

/**
 * The index in `shares` of the field that is nearest to the score: the level of risk, else the first of the fields with the
 * fewest steps beside it. Undefined when none is.
 */
export function levelAmong(shares: readonly FieldShare[]): number | undefined {
  const named = shares.findIndex(({ path, alike }) => [path, ...alike].some((one) => one.at(-1) === LEVEL));
  if (named >= 0) return named;
  const beside = [...shares.entries()].filter(([, { path }]) => path[0] === 'defi_score');
  return beside.sort(([, a], [, b]) => a.path.length - b.path.length)[0]?.[0];
}

/** What a field is called: a column of the list by its own name, as it was there. */
export function shareName(path: Path): string {
  return formatPath(path[0] === '_meta' ? path.slice(path[1] === 'input' && path.length > 2 ? 2 : 1) : path);
}
