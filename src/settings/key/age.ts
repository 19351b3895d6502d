/** How old a key is, and how old it should become. */
import { DAY_MS } from '../../text/when.ts';

/** Contract, section 5.8: rotation about every 90 days. */
export const ROTATION_DAYS = 90;

/** Whole days from `storedAt` (ISO 8601) to `now` (ms since 1970); undefined when `storedAt` is no time. */
export function ageInDays(storedAt: string | undefined, now: number): number | undefined {
  const days = Math.floor((now - Date.parse(storedAt ?? '')) / DAY_MS);
  return Number.isNaN(days) ? undefined : Math.max(0, days);
}
