/**
 * Chooses, by the days in their file names, the two kept reviews that a review is compared with.
 */
import type { KeptFile } from '../runs/review-folder.ts';
import { DAY_MS, utcDay } from '../text/when.ts';

/** The value of --since in milliseconds: how long ago, or when the last day that counts ends. */
export type Since = { readonly ago: number } | { readonly until: number };

export const DEFAULT_SINCE: Since = { ago: 7 * DAY_MS };

/** A review is old enough at this share of the age that --since asks for. */
const MIN_AGE_RATIO = 0.75;

/**
 * The files of earlier UTC days, the newest first. The first that can be used is the state.
 * @param now milliseconds since 1970
 */
export const beforeToday = (files: readonly KeptFile[], now: number): readonly KeptFile[] =>
  files.filter(({ started }) => utcDay(started) < utcDay(now));

export interface BaseChoice {
  /** The files in the order in which they are tried: the best one, then the older ones. */
  readonly files: readonly KeptFile[];
  /** Whether a file is younger than --since asks for. */
  isYoungerThanSince(file: KeptFile): boolean;
}

/** @param files those of earlier days, the newest first */
export function chooseBase(files: readonly KeptFile[], since: Since, now: number): BaseChoice {
  const isOldEnough = (file: KeptFile) =>
    'until' in since ? file.started <= since.until : age(file, now) >= MIN_AGE_RATIO * since.ago;
  // Of each day the last review counts.
  const lastOfDays = files.filter(
    ({ started }, i) => i === 0 || utcDay(files[i - 1]?.started ?? 0) !== utcDay(started),
  );
  const distance = (file: KeptFile) => ('until' in since ? -file.started : Math.abs(age(file, now) - since.ago));
  const [best] = lastOfDays
    .filter(isOldEnough)
    .sort((one, other) => distance(one) - distance(other) || one.started - other.started);
  const first = best ?? lastOfDays.at(-1);
  const at = first ? files.indexOf(first) : 0;
  // If nothing older can be used, what is younger is better than nothing.
  return {
    files: [...files.slice(at), ...files.slice(0, at).reverse()],
    isYoungerThanSince: (file) => !isOldEnough(file),
  };
}

/** In milliseconds, a whole number of UTC days. */
const age = ({ started }: KeptFile, now: number): number => (utcDay(now) - utcDay(started)) * DAY_MS;
