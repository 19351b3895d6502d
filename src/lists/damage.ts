/**
 * What is wrong with a list, as the reader that meets it can say it: without the file's name, and for bytes without the
 * record. Whoever knows more adds it on the way up; openList makes a ListError of it.
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

/** `error` said of the record that began on `line`, if it is damage to the list; anything else as it is. */
export function onLine(error: unknown, line: number): unknown {
  return error instanceof ListDamage ? new ListDamage(error.message, { ...error.details, line }) : error;
}

/** `error` as the user sees it, if it is damage to the list `name`; anything else as it is. */
export function toListError(error: unknown, name: string): unknown {
  if (!(error instanceof ListDamage)) return error;
  const { line, ...details } = error.details;
  const where = line === undefined ? name : `${name}, line ${line}`;
  return new ListError(`${where}: ${error.message}`, details);
}
