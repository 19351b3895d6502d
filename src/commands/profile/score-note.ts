/** What is said when several numbers of an answer may be the headline score. */
import type { Context } from '../../context.ts';
import type { Row } from '../../row/row.ts';

/** Lists the candidates in a note, and says whether there were any: a list notes them once. */
export function noteCandidates({ candidates }: Row, { report }: Pick<Context, 'report'>): boolean {
  if (!candidates) return false;
  report.info(
    `no headline score was found, but it could be ${candidates.join(', ')}; choose one with riskcli config set score PATH`,
  );
  return true;
}
