/** A row of a list after it was asked: what a format renders and a gate judges. */
import type { ObjectNode, ScalarNode } from './node.ts';

export type Status = 'scored' | 'no_score' | 'invalid' | 'failed' | 'pending';

export interface RowError {
  readonly code: string;
  readonly message: string;
  readonly httpStatus?: number;
}

/** The input of a row: its text, or the cells of a record under their column names. */
export type RowInput = string | readonly (readonly [column: string, cell: string])[];

export interface Row {
  /** The line on which the record began, from 1; for wallet arguments their position. */
  readonly line: number;
  readonly input: RowInput;
  /** The wallet asked for; undefined when the input is none. */
  readonly wallet?: string;
  readonly status: Status;
  /** The service's answer; absent on rows without one. */
  readonly document?: ObjectNode;
  /** The headline score; absent when there is none. */
  readonly score?: ScalarNode;
  /** When the answer arrived, ISO 8601 UTC. */
  readonly answeredAt?: string;
  readonly error?: RowError;
}
