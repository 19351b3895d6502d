/** What rules say of a row, in the words of a table on a terminal. */
import { type Judged, VERDICT_COLUMNS, verdictText } from '../row/verdict.ts';

const WORDS = { matched: 'matched', unjudged: 'not judged:', excused: 'excused from', watched: 'watched' };

export const verdictRemarks = (row: Judged): readonly string[] =>
  VERDICT_COLUMNS.flatMap((column) => {
    const rules = verdictText(row, column);
    return rules === undefined ? [] : [`${WORDS[column]} ${rules}`];
  });
