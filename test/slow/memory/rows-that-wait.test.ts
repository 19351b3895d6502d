import { expect, it } from 'vitest';
import type { ObjectNode } from '../../../src/document/node.ts';
import { parseDocument } from '../../../src/document/parse.ts';
import { parseFields } from '../../../src/paths/fields.ts';
import type { ListFormat } from '../../../src/row/formats.ts';
import { classify, type Row } from '../../../src/row/row.ts';
import { collectGarbage } from '../../fixtures/garbage.ts';
import { address } from '../../fixtures/place/wallets.ts';
import { type OutputOptions, openOutput } from '../../unit/output/rows.ts';

const LONG = 1024 * 1024;
const COUNT = 40;

/** Bytes that this process holds once garbage is gone. */
function held(): number {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** The row of an answer of LONG bytes, of which a format shows a few characters. */
function longRow(line: number): Row {
  const wallet = address(line);
  const text = Buffer.from(
    `{"wallet_address":"${wallet}","total_collateral_usd":1234567.8901234567,"padding":"${'x'.repeat(LONG)}"}`,
  ).toString();
  const document = parseDocument(text) as ObjectNode;
  return { line, input: wallet, wallet, document, answeredAt: '2026-01-02T03:04:05.000Z', ...classify(document) };
}

const terminal = { width: 80, color: 0 } as const;
const FORMATS: readonly (readonly [string, ListFormat, OutputOptions])[] = [
  ['csv', 'csv', {}],
  ['a table', 'table', { terminal }],
  ['a table with an added column', 'table', { terminal, fields: parseFields('padding'), keepsDefaults: true }],
  ['a table of picked columns', 'table', { terminal, fields: parseFields('wallet_address,padding') }],
];

it.each(FORMATS)('frees the answers of rows of %s that wait to be written', async (...of) => {
  const [, format, options] = of;
  const output = await openOutput(format, options);
  const before = held();
  for (let line = 1; line <= COUNT; line++) await output.row(longRow(line));
  expect(output.take()).toHaveLength(0);
  expect(held() - before).toBeLessThan((COUNT / 4) * LONG);
  await output.end({ counts: {} });
  expect(output.take().toString().trimEnd().split('\n')).toHaveLength(COUNT + 1);
});
