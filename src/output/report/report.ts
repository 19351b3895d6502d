/** The content of a report, independent of its format. */
import { grouped } from '../../text/words.ts';
import { countsText } from '../review/letter.ts';
import type { ReviewSections } from '../review/sections.ts';
import { minuteOf } from './amounts.ts';
import type { Figures } from './figures.ts';
import type { PageRows } from './page-rows.ts';

/** Where a report comes from. Secrets are withheld from all texts. */
export interface Origin {
  readonly title: string;
  /** Name of what was read. */
  readonly source: string;
  /** When the report was made, ISO 8601 UTC. */
  readonly madeAt: string;
  readonly version: string;
  /** The command line, without secrets. */
  readonly command: string;
}

export interface Report extends PageRows {
  readonly origin: Origin;
  readonly figures: Figures;
  /** Of a page of a review. */
  readonly review?: ReviewSections;
}

/** `rows 60, scored 58, failed 2, incomplete 1; answered 2026-11-20 15:00 UTC`. */
export function storyText({ incomplete, oldest, newest, ...counts }: Figures): string {
  const warned = incomplete > 0 ? `, incomplete ${grouped(incomplete)}` : '';
  return `${countsText(counts)}${warned}${datesText(oldest, newest)}`;
}

function datesText(oldest: string | undefined, newest: string | undefined): string {
  if (oldest === undefined || newest === undefined) return '';
  const [from, to] = [minuteOf(oldest), minuteOf(newest)];
  return from === to ? `; answered ${from}` : `; answered from ${from} to ${to}`;
}
