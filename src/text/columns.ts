/** How wide the text is that somebody reads. Apart from width.ts, whose packages a start has no use for. */

/** A terminal of unknown width, or of 0 columns as some report, counts as this. */
const DEFAULT_WIDTH = 80;

/** The width of text for people in a pipe, where the real one is not known. */
export const TEXT_WIDTH = 100;

export function terminalColumns(stream: { readonly columns?: number }): number {
  return stream.columns || DEFAULT_WIDTH;
}
