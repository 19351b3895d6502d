/** Failures on demand: what goes wrong, and for what share of the answers. */
import type { Random } from './random.ts';

/** Statuses are answered; `reset` and `cut` break the connection before and within the answer; `delay` holds it back. */
export const FAULT_KINDS = ['429', '500', '502', '503', '504', 'reset', 'delay', 'cut'] as const;
export type FaultKind = (typeof FAULT_KINDS)[number];

export interface Fault {
  readonly kind: FaultKind;
  /** The share of all answers, 0 to 1. */
  readonly share: number;
}

const SHARE = /^(\d+(?:\.\d+)?|\.\d+)(%?)$/;

/** Reads `KIND` or `KIND:SHARE`, the share a fraction or a percentage: `503:0.1`, `reset:5%`; undefined when it is neither. */
export function parseFault(text: string): Fault | undefined {
  const [name, shareText = '1', ...rest] = text.split(':');
  const kind = FAULT_KINDS.find((known) => known === name);
  const [, digits, percent] = SHARE.exec(shareText) ?? [];
  const share = Number(digits) / (percent ? 100 : 1);
  return kind !== undefined && share <= 1 && rest.length === 0 ? { kind, share } : undefined;
}

/** The fault of the next answer, if any: each is drawn in turn, and the first that hits counts. */
export function drawFault(faults: readonly Fault[], random: Random): FaultKind | undefined {
  return faults.find(({ share }) => random() < share)?.kind;
}
