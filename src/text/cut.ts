/** The beginning of a text, where columns do not matter. Apart from width.ts, whose packages a start has no use for. */

/** At most `units` UTF-16 units of `text`, and no half of a character: that would be no text in UTF-8. */
export const beginningOf = (text: string, units: number): string =>
  text.slice(0, units).replace(/[\ud800-\udbff]$/, '');
