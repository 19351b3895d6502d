/** A row that was read back, as the row that it was: conditions judge it as they did then. */
import type { ObjectNode } from '../../document/node.ts';
import { lookup } from '../../document/path.ts';
import type { Verdict } from '../../output/report/figures/collect.ts';
import type { ResultRow } from '../../results/result.ts';
import type { Row } from '../../row/row.ts';
import { cellText } from '../../row/row-columns.ts';

const META = '_meta';

export function judgedRow(result: ResultRow): Row {
  const node = result.node();
  const { line, wallet, status = 'scored', score, answeredAt, warning, error } = result;
  const isAnswered = status === 'scored' || status === 'no_score';
  const document = result.document ?? (isAnswered ? withoutMeta(node) : undefined);
  const code = cellText(lookup(node, [META, 'error', 'code'])) || 'unknown';
  return {
    line,
    input: lookup(node, [META, 'input']) ?? wallet?.address ?? '',
    wallet: wallet?.address,
    status,
    document,
    score,
    answeredAt,
    warning,
    error: error === undefined ? undefined : { code, message: error },
  };
}

/** csv, and rows that were written with --fields, have the values of the answer at their paths. */
const withoutMeta = ({ members }: ObjectNode): ObjectNode => ({
  kind: 'object',
  members: members.filter(([key]) => key !== META),
});

/** What the row says of itself: an excuse is in words there, the rule before them. */
export const statedVerdict = ({ matched, unjudged, excused }: ResultRow): Verdict => ({
  matched,
  unjudged,
  excused: excused.map((text) => ({ rule: text.split(': ', 1)[0] ?? '', text })),
});
