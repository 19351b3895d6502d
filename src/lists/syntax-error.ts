/**
 * A fault of a list, as its reader knows it: openList adds the name of the
 * list.
 */
export class ListSyntaxError extends Error {
  readonly hint: string;
  readonly isResumable: boolean;
  /** The line on which the record began, from 1; undefined where the reader does not know it. */
  line: number | undefined;

  constructor(
    problem: string,
    details: { readonly hint: string; readonly isResumable?: boolean; readonly line?: number },
  ) {
    super(problem);
    this.hint = details.hint;
    this.isResumable = details.isResumable ?? false;
    this.line = details.line;
  }
}

/** `error`, which is about the record that begins on `line` if it is a ListSyntaxError. */
export function atLine(error: unknown, line: number): unknown {
  if (error instanceof ListSyntaxError) error.line = line;
  return error;
}
