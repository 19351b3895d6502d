/**
 * Fields with few values, such as a risk level, and how many rows have each value. Which fields these are is known only at the end,
 * so every field is counted until it has too many values.
 */
import type { Node, ObjectNode } from '../../../document/node.ts';
import { formatPath, type Path } from '../../../document/path.ts';
import { cellText } from '../../../document/write.ts';
import { ownCopy } from '../../../text/own-copy.ts';

/** A field with few values. */
export interface FieldShare {
  readonly path: Path;
  /** Other fields that divide the rows the same way. */
  readonly alike: readonly Path[];
  /** Most frequent first. */
  readonly values: readonly { readonly text: string; readonly count: number }[];
  /** Maps the numbers returned for a row by `observe` to an index in `values`; -1 if the row had none. */
  readonly numberIn: (numbers: ArrayLike<number>) => number;
}

const MAX_VALUES = 12;
/** A longer value is free text, not a category. In characters. */
const MAX_VALUE_LENGTH = 60;
/** Objects with more members are maps keyed by tokens, protocols or wallets. */
const MAX_MEMBERS = 40;
const MAX_FIELDS = 500;
const MAX_SHARES = 12;
const MAX_DEPTH = 6;

interface Counts {
  readonly path: Path;
  /** Index among the fields. */
  readonly number: number;
  readonly values: Map<string, { readonly number: number; count: number }>;
  rows: number;
  /** Whether it has too many values. */
  isClosed: boolean;
  /** Hash of the values' numbers, row by row: fields with equal fingerprints divide the rows the same way. */
  fingerprint: number;
}

/** A field of the rows: its counts, and its members. */
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
  /** The numbers of the current row's values, by the index of the field. */
  private readonly numbers = new Int8Array(MAX_FIELDS);

  /**
   * Counts the values of an answered row.
   * @returns numbers of the values for `FieldShare.numberIn`; overwritten by the next row
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

/** The member `key` of `field`; undefined if there are too many already. */
function memberAt(field: FieldNode, key: string): FieldNode | undefined {
  const known = field.inside.get(key);
  if (known || field.inside.size === MAX_MEMBERS) return known;
  const name = ownCopy(key);
  const made = fieldAt([...field.path, name]);
  field.inside.set(name, made);
  return made;
}

/** Counts `text`. @returns its number; undefined if there are too many values or it is too long */
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

/** Skips the wallet, and of the fields that riskcli adds all but those that come from the list. */
function isCounted(within: Path, key: string): boolean {
  if (within.length === 0) return key !== 'wallet_address';
  return within.length !== 1 || within[0] !== '_meta' || key === 'input' || key === 'file';
}

/** Whether the field divides the rows: several values, each occurring twice on average. */
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
    // A column of the list may occur both at the top level and in `_meta.input`.
    alike: others.map(({ path }) => path).filter((other) => shareName(other) !== shareName(path)),
    values: sorted.map(([text, { count }]) => ({ text, count })),
    numberIn: (numbers) => ranks.get(numbers[field] ?? -1) ?? -1,
  };
}

/** Name of the field that services have next to the score. */
const LEVEL = 'risk_level';

/**
 * The index in `shares` of the field closest to the score: the risk level, else the field with the shortest path inside
 * `defi_score`. Undefined if there is none.
 */
export function levelAmong(shares: readonly FieldShare[]): number | undefined {
  const named = shares.findIndex(({ path, alike }) => [path, ...alike].some((one) => one.at(-1) === LEVEL));
  if (named >= 0) return named;
  const beside = [...shares.entries()].filter(([, { path }]) => path[0] === 'defi_score');
  return beside.sort(([, a], [, b]) => a.path.length - b.path.length)[0]?.[0];
}

/** The name of a field; a column of the list has its name in the list. */
export function shareName(path: Path): string {
  return formatPath(path[0] === '_meta' ? path.slice(path[1] === 'input' && path.length > 2 ? 2 : 1) : path);
}
