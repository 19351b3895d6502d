/**
 * What is wrong with a list, as the reader that finds it knows it: without the file's name, and for bytes without the line.
 * Callers add what they know; openList makes a ListError of it.
 */
import { ListError } from '../errors.ts';

export class ListDamage extends Error {
  constructor(
    problem: string,
    /** `line` is that on which the damaged record began, from 1. */
    readonly details: { readonly hint: string; readonly isResumable?: boolean; readonly line?: number },
  ) {
    super(problem);
  }

  get line(): number | undefined {
    return this.details.line;
  }
}

/** A ListDamage with the line on which its record began; any other error unchanged. */
export function onLine(error: unknown, line: number): unknown {
  return error instanceof ListDamage ? new ListDamage(error.message, { ...error.details, line }) : error;
}

/** A ListDamage as a ListError about the list `name`; any other error unchanged. */
export function toListError(error: unknown, name: string): unknown {
  if (!(error instanceof ListDamage)) return error;
  const { line, ...details } = error.details;
  const where = line === undefined ? name : `${name}, line ${line}`;
  return new ListError(`${where}: ${error.message}`, details);
}
