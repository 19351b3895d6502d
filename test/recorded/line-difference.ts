/** The longest common subsequence of lines, and what is not in it. */

interface DifferentLine {
  readonly line: string;
  readonly isNew: boolean;
}

export function linesThatDiffer(old: readonly string[], now: readonly string[]): readonly DifferentLine[] {
  const common = lengthsOfCommon(old, now);
  const found: DifferentLine[] = [];
  let [i, j] = [0, 0];
  while (i < old.length || j < now.length) {
    if (i < old.length && old[i] === now[j]) {
      i += 1;
      j += 1;
    } else if (j >= now.length || (i < old.length && common[i + 1]![j]! >= common[i]![j + 1]!)) {
      found.push({ line: old[i]!, isNew: false });
      i += 1;
    } else {
      found.push({ line: now[j]!, isNew: true });
      j += 1;
    }
  }
  return found;
}

/** How many lines `old` from `i` on and `now` from `j` on have in common, at `[i][j]`. */
function lengthsOfCommon(old: readonly string[], now: readonly string[]): readonly (readonly number[])[] {
  const lengths = Array.from({ length: old.length + 1 }, () => new Array<number>(now.length + 1).fill(0));
  for (let i = old.length - 1; i >= 0; i--) {
    for (let j = now.length - 1; j >= 0; j--) {
      lengths[i]![j] =
        old[i] === now[j] ? lengths[i + 1]![j + 1]! + 1 : Math.max(lengths[i + 1]![j]!, lengths[i]![j + 1]!);
    }
  }
  return lengths;
}
