/**
 * The interface between formats and the rows they write. Rows come one at a time and are not kept,
 * so memory does not grow with their number.
 */
import { basename } from 'node:path';
import type { Context } from '../../context.ts';
import type { Node } from '../../document/node.ts';
import type { RowWriter } from '../../files/sink.ts';
import type { ListHead } from '../../lists/list.ts';
import type { ValueLookup } from '../../rules/conditions.ts';
import type { Rule } from '../../rules/rules.ts';
import type { Shape } from '../../rules/shape.ts';
import { visibleName } from '../../secrets/redact.ts';
import type { Terminal } from '../terminal/lines.ts';

/**
 * A format for programs: one output of rows of any kind. @throws UsageError where it cannot take as
 * many rows
 */
export type RowFormat = <R>(kind: RowKind<R>, occasion: Occasion) => RowWriter<R>;

export interface RowCells<R> {
  /** The list that was read: its own columns come first, unchanged. */
  readonly own?: {
    readonly head: ListHead;
    readonly cells: (row: R) => readonly string[];
    /** The same as values, where the list tells numbers from text as a workbook does. */
    readonly values?: (row: R) => readonly (Node | undefined)[];
  };
  /** The columns that riskcli adds. Those of the list may have the same names: see freeNames. */
  readonly names: readonly string[];
  readonly values: (row: R) => readonly (Node | undefined)[];
}

/**
 * Rows of a list or of a diff: what each format and --where, --sort and --top have to know about
 * them.
 */
export interface RowKind<R> {
  /** Compact. */
  readonly json: (row: R) => string;
  readonly cells: () => RowCells<R>;
  /** The cells of a line, for `cut` and `awk`. */
  readonly line: (row: R) => readonly (Node | undefined)[];
  /** Draws them for a person. */
  readonly table: (terminal: Terminal) => Promise<RowWriter<R>>;
  /** Finds the values that are compared. */
  readonly find: (row: R) => ValueLookup;
  /** The row as text, in which it waits on disk until it can be sorted. */
  readonly encode: (row: R) => string;
  readonly decode: (text: string) => R;
}

/** The purpose of an output. */
export interface Occasion {
  /**
   * Which rows are written, and in what order; by default all, as they come. A flag that only one
   * format takes is a member of it as well.
   */
  readonly shape?: Shape | undefined;
  /** Set if the output is a terminal. */
  readonly terminal?: Terminal | undefined;
  /** The most rows that can come; undefined when unknown. */
  readonly rows?: number | undefined;
  readonly run: RunFacts;
  /** Reports values that could not be written unchanged. */
  readonly note?: ((text: string) => void) | undefined;
}

/** Facts about the run, for formats that have room for them. */
export interface RunFacts {
  /** The names of what was read, without folders. */
  readonly source: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly rules: readonly Rule[];
  /** Whether a sandbox has made up the data. */
  readonly isSynthetic: boolean;
}

/** @param files what was read: paths, `-` for standard input */
export const runFacts = (
  files: readonly string[],
  { now }: Pick<Context, 'now'>,
  { rules, isSynthetic = false }: { readonly rules: readonly Rule[]; readonly isSynthetic?: boolean },
): RunFacts => ({
  source: files.map((file) => (file === '-' ? 'standard input' : visibleName(basename(file)))).join(', '),
  at: now(),
  rules,
  isSynthetic,
});

/** The names in `added`, prefixed with `riskcli.` if they collide with `own` or with each other. */
export function freeNames(own: readonly string[], added: readonly string[]): readonly string[] {
  const taken = new Set(own);
  return added.map((name) => {
    let free = name;
    while (taken.has(free)) free = `riskcli.${free}`;
    taken.add(free);
    return free;
  });
}
