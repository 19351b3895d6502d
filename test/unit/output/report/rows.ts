/** Rows as they are read back, for tests of reports. */
import type { Node, ObjectNode } from '../../../../src/document/node.ts';
import { parseDocument } from '../../../../src/document/parse.ts';
import { lookup } from '../../../../src/document/path.ts';
import { createCollector } from '../../../../src/output/report/figures.ts';
import type { Origin, Report } from '../../../../src/output/report/report.ts';
import { classify, type Row } from '../../../../src/row/row.ts';
import { VERDICT_COLUMNS } from '../../../../src/row/verdict.ts';
import { address } from '../../../fixtures/place/wallets.ts';

/** The row of an answer with these members, besides its wallet. */
export function answered(line: number, members: string | ObjectNode): Row {
  const { members: given } = typeof members === 'string' ? (parseDocument(`{${members}}`) as ObjectNode) : members;
  const own: readonly [string, Node] = ['wallet_address', { kind: 'string', value: address(line) }];
  const document: ObjectNode = { kind: 'object', members: [own, ...given.filter(([name]) => name !== '_meta')] };
  const meta = given.find(([name]) => name === '_meta')?.[1];
  const answeredAt = '2026-01-02T03:04:05.000Z';
  return {
    line,
    wallet: address(line),
    input: (meta && lookup(meta, ['input'])) ?? address(line),
    document,
    ...classify(document),
    answeredAt,
    verdicts: [],
    verdictColumns: VERDICT_COLUMNS,
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
export function reportOf(rows: readonly Row[], origin: Partial<Origin> = {}): Report {
  const collector = createCollector({ rules: [], hasCards: true });
  for (const row of rows) collector.add(row);
  return { ...collector.end(), origin: { ...ORIGIN, ...origin } };
}
