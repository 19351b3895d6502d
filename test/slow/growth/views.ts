/**
 * Everything that reads or shows an answer, as one table: each is given the text of an answer about
 * WALLET.
 */

import { renderOne } from '../../../src/output/one.ts';
import { parseFields } from '../../../src/paths/fields.ts';
import { PathChecker } from '../../../src/paths/path-checker.ts';
import type { ListFormat } from '../../../src/row/formats.ts';
import { classify, type Row } from '../../../src/row/row.ts';
import { rowNode } from '../../../src/row/row-node.ts';
import { findScore } from '../../../src/row/score.ts';
import { judgeRow } from '../../../src/rules/judge.ts';
import { parseRules } from '../../../src/rules/rules.ts';
import { readProfile } from '../../../src/service/contract.ts';
import { whole } from '../../fixtures/whole.ts';
import { type OutputOptions, written } from '../../unit/output/rows.ts';

export const WALLET = `0x${'ab'.repeat(20)}`;

export function rowOf(text: string): Row {
  const { document } = readProfile({ body: Buffer.from(text), hasKnownLength: true }, WALLET);
  return {
    line: 1,
    input: WALLET,
    wallet: WALLET,
    document,
    answeredAt: '2025-06-01T00:00:00.000Z',
    ...classify(document),
  };
}

const TERMINAL = { width: 80, color: 1 } as const;
const NARROW = { width: 20, color: 0 } as const;

const listed = (row: Row, format: ListFormat, options: OutputOptions = {}) => written(format, [row], options);

const fields = parseFields('x,x.k1?,total_collateral_usd,defi_score,_meta.warning');
const rules = parseRules(['x < 1', 'x == y', 'defi_score.x > 1', 'total_collateral_usd < 0']);

export const VIEWS: Readonly<Record<string, (row: Row) => unknown>> = {
  card: (row) => whole(renderOne(row, { format: 'table', terminal: TERMINAL })),
  'narrow card': (row) => whole(renderOne(row, { format: 'table', terminal: NARROW })),
  'path lines': (row) => whole(renderOne(row, { format: 'table' })),
  'picked fields': (row) => whole(renderOne(row, { format: 'table', terminal: TERMINAL, fields })),
  json: (row) => whole(renderOne(row, { format: 'json' })),
  jsonl: (row) => listed(row, 'jsonl'),
  csv: (row) => listed(row, 'csv'),
  'csv on a terminal': (row) => listed(row, 'csv', { terminal: TERMINAL }),
  'csv of fields': (row) => listed(row, 'csv', { fields }),
  'table on a pipe': (row) => listed(row, 'table', { fields, keepsDefaults: true }),
  table: (row) => listed(row, 'table', { terminal: TERMINAL, fields, keepsDefaults: true }),
  'table of fields': (row) => listed(row, 'table', { terminal: NARROW, fields }),
  conditions: (row) => judgeRow(row, { rules, accept: new Set() }),
  score: (row) => findScore(row.document!),
  'the watch of paths': (row) => {
    const watch = new PathChecker([{ from: '--fields', path: ['nowhere', 'to', 'be', 'found'], isOptional: false }]);
    watch.observe('a wallet', () => rowNode(row));
    return watch.missingPathsError();
  },
};
