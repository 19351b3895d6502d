/** A row of a list that runs, as it would be read back from what the list writes. */
import { memberOf } from '../document/path.ts';
import { cellText } from '../document/write.ts';
import { inputNode, type Row, rowNode } from '../row/row.ts';
import { walletOf } from '../row/row-columns.ts';
import type { ResultRow } from './result.ts';

export function resultOf(row: Row): ResultRow {
  const { line, wallet, status, document, score, answeredAt, warning, error, matched = [], unjudged = [] } = row;
  const collateral = document && memberOf(document, 'total_collateral_usd');
  return {
    line,
    ...(wallet !== undefined && {
      wallet: { ok: true, address: cellText(walletOf(row)), id: wallet.toLowerCase() },
    }),
    status,
    ...(score && { score }),
    ...(collateral && { collateral }),
    ...(answeredAt !== undefined && { answeredAt }),
    ...(warning !== undefined && { warning }),
    ...(error && { error: error.message }),
    matched,
    unjudged,
    excused: [],
    ...(document && { document }),
    node: () => rowNode(row),
    input: () => inputNode(row.input),
  };
}
