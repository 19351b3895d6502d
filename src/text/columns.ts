/**
 * The largest width of a text for people. Kept apart from width.ts, whose packages would slow the
 * start.
 */

/** A terminal of unknown width, or of 0 columns as some report, counts as this. */
const DEFAULT_WIDTH = 80;

/** The width of text for people in a pipe, where the real one is not known. */
export const TEXT_WIDTH = 100;

export const terminalColumns = (stream: { readonly columns?: number }): number => stream.columns || DEFAULT_WIDTH;
