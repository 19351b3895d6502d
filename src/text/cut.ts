/**
 * The beginning of a text, where columns do not matter. Kept apart from width.ts, whose packages
 * would slow the start.
 */

/**
 * At most `units` UTF-16 units of `text`, without cutting a character in half, which UTF-8 could
 * not encode.
 */
export const beginningOf = (text: string, units: number): string =>
  text.slice(0, units).replace(/[\ud800-\udbff]$/, '');
