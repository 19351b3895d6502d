/** What may be shown of a key, and how old it is. */
import { DAY_MS } from '../../text/when.ts';

/** Contract, section 5.8: rotation about every 90 days. */
export const ROTATION_DAYS = 90;

/** With fewer characters behind its prefix, the last four would be too large a part of a secret to show. */
const ENOUGH_TO_SHOW_FOUR = 16;
const ENOUGH_TO_SHOW_PREFIX = 8;

/** `wrp_****1a2b`: the prefix (contract, section 2.4) and the last four characters; a short key shows less. */
export function maskKey(key: string): string {
  const [, prefix = ''] = /^([A-Za-z][A-Za-z0-9]{0,9}_)/.exec(key) ?? [];
  const secret = key.length - prefix.length;
  const shown = secret < ENOUGH_TO_SHOW_PREFIX ? '' : prefix;
  return `${shown}****${secret < ENOUGH_TO_SHOW_FOUR ? '' : key.slice(-4)}`;
}

/** Whole days from `storedAt` (ISO 8601) to `now` (ms since 1970); undefined when `storedAt` is no time. */
export function ageInDays(storedAt: string | undefined, now: number): number | undefined {
  const days = Math.floor((now - Date.parse(storedAt ?? '')) / DAY_MS);
  return Number.isNaN(days) ? undefined : Math.max(0, days);
}
