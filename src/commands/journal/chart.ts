/** A line of scores as a picture, for a terminal: which way they went, not what they were. */
import { parseDecimal } from '../../row/decimal.ts';

const BLOCKS = '▁▂▃▄▅▆▇█';
/** For a score that is no number. */
const GAP = '·';

/**
 * One character a score, the lowest and the highest behind them; of more than fit in `width` columns the last ones.
 * Undefined where there are not two numbers to compare. A picture needs no exact numbers: doubles will do.
 */
export function chartLine(scores: readonly string[], width: number): string | undefined {
  const numbers = scores.map((score) => (parseDecimal(score) ? Number(score) : Number.NaN));
  const finite = numbers.filter(Number.isFinite);
  if (finite.length < 2) return undefined;
  const [lowest, highest] = [Math.min(...finite), Math.max(...finite)];
  const caption = `  ${lowest} to ${highest}`;
  const shown = numbers.slice(-Math.max(2, width - caption.length));
  const block = (value: number) => {
    if (!Number.isFinite(value)) return GAP;
    const share = highest === lowest ? 0.5 : (value - lowest) / (highest - lowest);
    return BLOCKS[Math.round(share * (BLOCKS.length - 1))] ?? GAP;
  };
  return `${shown.map(block).join('')}${caption}`;
}
