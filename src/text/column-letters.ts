/** The letters of a column of a sheet, by its index: `A` for 0, `AA` for 26. */
export function columnLetters(index: number): string {
  const before = Math.floor(index / 26) - 1;
  return (before < 0 ? '' : columnLetters(before)) + String.fromCharCode(65 + (index % 26));
}
