/** The key figures of a report, and the filter that shows their rows. */
import { grouped } from '../../text/words.ts';
import { percent, shortOf } from './amounts.ts';
import type { Filter } from './page-data.ts';
import { distributionsOf, type Report } from './report.ts';

export interface KeyFigure {
  readonly name: string;
  readonly value: string;
  /** The share, or the number of rows. */
  readonly note: string;
  /** Selects the rows that were counted, if there are any. */
  readonly filter?: Filter;
}

export function keyFigures(report: Report): readonly KeyFigure[] {
  const { figures } = report;
  const { marked, incomplete, rows, statuses } = figures;
  const counted = (name: string, count: number, filter: Filter): KeyFigure => ({
    name,
    value: grouped(count),
    note: percent(count, rows),
    ...(count > 0 && { filter }),
  });
  const mark = (what: keyof typeof marked, name: string) =>
    counted(name, marked[what], { group: 'marked', label: name, kind: 'marked', what });
  const unscored = statuses.reduce((sum, [status, count]) => (status === 'scored' ? sum : sum + count), 0);
  const hasRules = figures.rules.length > 0;
  const median = distributionsOf(report).find(({ measure }) => measure === 'score')?.summary;
  return [
    ...(hasRules ? [mark('matched', 'matched')] : []),
    ...(marked.excused > 0 ? [mark('excused', 'excused')] : []),
    hasRules
      ? mark('unjudged', 'could not be judged')
      : counted('without a score', unscored, { group: 'status', label: 'without a score', kind: 'unscored' }),
    ...(median
      ? [{ name: 'median score', value: shortOf('score', median.median), note: `of ${grouped(median.count)} rows` }]
      : []),
    ...(incomplete > 0
      ? [counted('incomplete', incomplete, { group: 'incomplete', label: 'incomplete', kind: 'incomplete' })]
      : []),
  ];
}
