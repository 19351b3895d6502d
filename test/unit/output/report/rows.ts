/** Rows as they are read back, for tests of reports. */
import type { Node, ObjectNode } from '../../../../src/document/node.ts';
import { parseDocument } from '../../../../src/document/parse.ts';
import { lookup } from '../../../../src/document/path.ts';
import { createCollector, verdictOf } from '../../../../src/output/report/figures.ts';
import type { Origin, Report } from '../../../../src/output/report/report.ts';
import { classify } from '../../../../src/row/row.ts';
import type { ResultRow } from '../../../../src/runs/result.ts';
import { address, wallet } from '../../../fixtures/place/wallets.ts';

/** The row of an answer with these members, besides its wallet. */
export function answered(line: number, members: string | ObjectNode): ResultRow {
  const parsed = typeof members === 'string' ? (parseDocument(`{${members}}`) as ObjectNode) : members;
  const own: readonly [string, Node] = ['wallet_address', { kind: 'string', value: address(line) }];
  const node: ObjectNode = { kind: 'object', members: [own, ...parsed.members] };
  const collateral = lookup(node, ['total_collateral_usd']);
  const answeredAt = '2026-01-02T03:04:05.000Z';
  return {
    line,
    wallet: wallet(line),
    ...classify(node),
    collateral,
    answeredAt,
    matched: [],
    unjudged: [],
    excused: [],
    node: () => node,
    input: () => lookup(node, ['_meta', 'input']),
  };
}

const ORIGIN: Origin = {
  title: 'A title',
  isSandbox: false,
  source: 'scored.jsonl',
  madeAt: '2026-01-03T00:00:00.000Z',
  version: '1.2.3',
  command: 'riskcli report scored.jsonl',
};

/** The report of `rows`, whose own rules count. */
export function reportOf(rows: readonly ResultRow[], origin: Partial<Origin> = {}): Report {
  const collector = createCollector({ rules: [], hasCards: true });
  for (const row of rows) collector.add(row, verdictOf(row));
  return { ...collector.end(), origin: { ...ORIGIN, ...origin } };
}
