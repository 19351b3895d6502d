/** Months as quotas are counted: in UTC. All times are milliseconds since 1970. */

/** `2030-01`. */
export function month(now: number): string {
  return new Date(now).toISOString().slice(0, 7);
}

/** When the month after the one that `now` is in begins. */
export function nextMonth(now: number): number {
  const date = new Date(now);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1);
}
