/** Round numbers: the limits of ranges, and the ticks of an axis. */

/**
 * Multiples of 1, 2 or 5 times a power of ten, from `low` or below to `high` or above, about
 * `count` steps; none where these are equal, or too close to have such numbers between them.
 */
export function roundNumbers(low: number, high: number, count: number): readonly number[] {
  const least = (high - low) / count;
  const power = Math.floor(Math.log10(least));
  const size = least / 10 ** power;
  // The nearest of these on a logarithmic scale.
  const factor = size < Math.SQRT2 ? 1 : size < Math.sqrt(10) ? 2 : size < Math.sqrt(50) ? 5 : 10;
  // Divided by a whole number, not multiplied by a fraction, so that 3 tenths are 0.3.
  const [times, parts] = power < 0 ? [factor, 10 ** -power] : [factor * 10 ** power, 1];
  const first = Math.floor((low * parts) / times);
  const length = Math.ceil((high * parts) / times) - first + 1;
  if (!(length >= 2 && Number.isFinite(length))) return [];
  const numbers = Array.from({ length }, (_, i) => ((first + i) * times) / parts);
  const rises = numbers.every((number, i) => i === 0 || number > (numbers[i - 1] ?? number));
  return rises && (numbers[0] ?? low) <= low && (numbers.at(-1) ?? high) >= high ? numbers : [];
}
