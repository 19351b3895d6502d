/** The four plans (contract, section 8). */
export interface Limits {
  /** Requests a second; Infinity for no limit. */
  readonly rate: number;
  /** Requests that may come at once after a quiet time. */
  readonly burst: number;
  /** Requests a calendar month (UTC); Infinity for no limit. */
  readonly quota: number;
}

/** Enterprise limits are agreed one by one; here there are none until they are set. */
export const PLANS = {
  developer: { rate: 10, burst: 20, quota: 10_000 },
  startup: { rate: 50, burst: 100, quota: 100_000 },
  institution: { rate: 200, burst: 400, quota: 1_000_000 },
  enterprise: { rate: Number.POSITIVE_INFINITY, burst: Number.POSITIVE_INFINITY, quota: Number.POSITIVE_INFINITY },
} as const satisfies Record<string, Limits>;
export type Plan = keyof typeof PLANS;

/** The limits of `plan` with single numbers replaced; a rate without a burst gets twice itself, as in every plan. */
export function limitsOf(plan: Plan, replaced: Partial<Limits>): Limits {
  const { rate = PLANS[plan].rate, quota = PLANS[plan].quota } = replaced;
  const burst = replaced.burst ?? (replaced.rate === undefined ? PLANS[plan].burst : rate * 2);
  return { rate, burst, quota };
}
