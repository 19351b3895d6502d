/** Counts as bars on a terminal: of the ranges of a number, and of the values of a text. */
import { padEnd, padStart, truncate } from '../../text/width.ts';
import { groupDigits } from '../../text/words.ts';
import { percent } from '../report/amounts.ts';
import { type Drawing, widest } from './lines.ts';

const MAX_BAR = 40;

interface BarOptions {
  readonly drawing: Pick<Drawing, 'width' | 'ellipsis'>;
  readonly isRange: boolean;
  /** The rest of the total of the shares. */
  readonly more?: number;
}

/** Per line: a name, a count, its share, and a bar in the remaining width. */
export function barLines(
  bars: readonly { readonly text: string; readonly count: number }[],
  { drawing: { width, ellipsis }, isRange, more = 0 }: BarOptions,
): readonly string[] {
  const total = bars.reduce((sum, { count }) => sum + count, more);
  const highest = Math.max(1, ...bars.map(({ count }) => count));
  const room = Math.max(8, Math.floor(width / 2));
  const names = bars.map(({ text }) => truncate(text, room, ellipsis));
  const counts = bars.map(({ count }) => `${groupDigits(count)}  ${percent(count, total).padStart(5)}`);
  const [named, counted] = [widest(names), widest(counts)];
  const longest = Math.min(MAX_BAR, width - named - counted - 4);
  return bars.map(({ count }, i) => {
    const length = count === 0 || longest < 1 ? 0 : Math.max(1, Math.round((longest * count) / highest));
    const shown = (isRange ? padStart : padEnd)(names[i] ?? '', named);
    return truncate(`${shown}  ${padStart(counts[i] ?? '', counted)}  `, width, ellipsis)
      .concat((ellipsis === '...' ? '#' : '█').repeat(length))
      .trimEnd();
  });
}
