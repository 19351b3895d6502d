/** A line of scores as a picture, for a terminal: which way they went, not what they were. */

const BLOCKS = '▁▂▃▄▅▆▇█';
/** For a score that is no number. */
const GAP = '·';

/**
 * One character a score (NaN for one that is no number), the lowest and the highest behind them; of more than fit in
 * `width` columns the last ones. Undefined where there are not two numbers to compare. A picture needs no exact numbers:
 * doubles will do.
 */
export function chartLine(scores: readonly number[], width: number): string | undefined {
  const finite = scores.filter(Number.isFinite);
  if (finite.length < 2) return undefined;
  // Not as arguments of one call: there may be a hundred thousand.
  const lowest = finite.reduce((least, score) => Math.min(least, score));
  const highest = finite.reduce((most, score) => Math.max(most, score));
  const caption = `  ${lowest} to ${highest}`;
  const shown = scores.slice(-Math.max(2, width - caption.length));
  const block = (value: number) => {
    if (!Number.isFinite(value)) return GAP;
    const share = highest === lowest ? 0.5 : (value - lowest) / (highest - lowest);
    return BLOCKS[Math.round(share * (BLOCKS.length - 1))] ?? GAP;
  };
  return `${shown.map(block).join('')}${caption}`;
}
