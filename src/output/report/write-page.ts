/** The page of a report or a review: where it comes from, without secrets and names of folders, and how it is written. */
import { basename } from 'node:path';
import type { Context } from '../../context.ts';
import type { Target } from '../../files/target.ts';
import { listLine, type ResultRow } from '../../runs/result.ts';
import { visibleName } from '../../secrets/withhold.ts';
import { shellWord } from '../../text/shell.ts';
import { VERSION } from '../../version.ts';
import { partsOf } from '../review/letter.ts';
import { type ReviewSections, reviewKey } from '../review/sections.ts';
import type { Origin, Report } from './report.ts';

/** @param words the words of the command line behind `riskcli` */
export function originOf(name: string, words: readonly string[], { now, platform }: Context): Origin {
  const source = visibleName(basename(name));
  return {
    title: `Wallet risk report: ${source}`,
    source,
    madeAt: new Date(now()).toISOString(),
    version: VERSION,
    command: ['riskcli', ...words.map((word) => shellWord(visibleName(word), platform))].join(' '),
  };
}

export async function writePage(target: Target, report: Report, context: Context): Promise<void> {
  const { pagePieces } = await import('./page/page.ts');
  for (const piece of pagePieces(report)) {
    context.signal().throwIfAborted();
    await target.write(piece);
  }
}

/** Which section has a row; of a wallet that is listed twice only the first row is in one. */
export function sectionsOf(review: ReviewSections): (row: ResultRow) => string | undefined {
  const sections = new Map(partsOf(review).flatMap(({ name, rows }) => rows.map((row) => [reviewKey(row), name])));
  return (row) => {
    const key = reviewKey({ wallet: row.wallet?.id, line: listLine(row) });
    const name = sections.get(key);
    sections.delete(key);
    return name;
  };
}
