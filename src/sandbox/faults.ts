/** Failures on demand: for what share of the answers, and which. */
import type { Random } from './random.ts';

/** Statuses are answered; `reset` and `cut` break the connection before and within the answer. */
export const FAULT_KINDS = ['429', '500', '502', '503', '504', 'reset', 'cut'] as const;
export type FaultKind = (typeof FAULT_KINDS)[number];

export interface Failing {
  /** The share of all answers, 0 to 1. */
  readonly share: number;
  /** Each as often as the others. */
  readonly kinds: readonly FaultKind[];
}

/** The fault of the next answer, if any. */
export function drawFault({ share, kinds }: Failing, random: Random): FaultKind | undefined {
  return random() < share ? kinds[Math.floor(random() * kinds.length)] : undefined;
}
