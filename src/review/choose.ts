/**
 * With which two kept reviews a review is compared: chosen by the days in the names of the files.
 */
import type { KeptFile } from '../runs/review-folder.ts';
import { DAY_MS, utcDay } from '../text/when.ts';

/** The value of --since: how long ago, or up to the end of which day; milliseconds. */
export type Since = { readonly ago: number } | { readonly until: number };

export const USUAL_SINCE: Since = { ago: 7 * DAY_MS };

/** The smallest share of the wanted age that will do. */
const OLD_ENOUGH = 0.75;

/**
 * The files of earlier UTC days, the newest first: the first that can be used is the state.
 * @param now milliseconds since 1970
 */
export const ofEarlierDays = (files: readonly KeptFile[], now: number): readonly KeptFile[] =>
  files.filter(({ started }) => utcDay(started) < utcDay(now));

export interface BaseChoice {
  /** The files in the order in which they are tried: after the best one, what is older. */
  readonly files: readonly KeptFile[];
  /** Whether a file is younger than --since asks for. */
  isYoungerThanSince(file: KeptFile): boolean;
}

/** @param files those of earlier days, the newest first */
export function chooseBase(files: readonly KeptFile[], since: Since, now: number): BaseChoice {
  const isOldEnough = (file: KeptFile) =>
    'until' in since ? file.started <= since.until : age(file, now) >= OLD_ENOUGH * since.ago;
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

/** In whole UTC days, milliseconds. */
const age = ({ started }: KeptFile, now: number): number => (utcDay(now) - utcDay(started)) * DAY_MS;
