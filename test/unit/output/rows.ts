/** Rows for the tests of the formats. */

import type { ObjectNode } from '../../../src/document/node.ts';
import { parseDocument } from '../../../src/document/parse.ts';
import { type Chunk, writeRows } from '../../../src/files/sink.ts';
import { listRows } from '../../../src/output/list/list-rows.ts';
import type { ListRowsOptions } from '../../../src/output/list/list-table.ts';
import { createWriter } from '../../../src/output/rows/open-rows.ts';
import type { Occasion } from '../../../src/output/rows/row-format.ts';
import type { ListFormat } from '../../../src/row/formats.ts';
import { classify, type Row } from '../../../src/row/row.ts';

export const WALLET = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';

export function document(text: string): ObjectNode {
  const node = parseDocument(text);
  if (node.kind !== 'object') throw new Error('not an object');
  return node;
}

/** A row that was answered with `text`. */
export function answered(text: string, more: Partial<Row> = {}): Row {
  const answer = document(text);
  return {
    line: 1,
    input: WALLET,
    wallet: WALLET,
    document: answer,
    answeredAt: '2025-06-01T00:00:00.000Z',
    ...classify(answer),
    ...more,
  };
}

export const SCORED = answered(
  `{"wallet_address":"${WALLET}","total_collateral_usd":1234567.89,"defi_score":{"defi_score":474,"risk_level":"High Risk"}}`,
);
export const NO_SCORE = answered(`{"wallet_address":"${WALLET}","total_collateral_usd":0,"defi_score":null}`, {
  line: 2,
});
export const INVALID: Row = {
  line: 3,
  input: 'vitalik.eth',
  status: 'invalid',
  error: { code: 'ens', message: 'an ENS name is not an address' },
};
export const FAILED: Row = {
  line: 4,
  input: WALLET,
  wallet: WALLET,
  status: 'failed',
  error: { code: 'refused', message: 'the service refused it: no such wallet', httpStatus: 404 },
};
export const PENDING: Row = { line: 5, input: WALLET, wallet: WALLET, status: 'pending' };
export const ROWS = [SCORED, NO_SCORE, INVALID, FAILED, PENDING];

/** A record of csv has its cells twice: under their names, and in their places. */
const withCells = (row: Row): Row =>
  typeof row.input === 'string' || 'kind' in row.input ? row : { ...row, cells: row.input.map(([, cell]) => cell) };

export interface OutputOptions extends ListRowsOptions, Partial<Occasion> {}

const RUN = { source: 'list.csv', at: 0, rules: [], isSynthetic: false };

/**
 * An output of the rows of a list, and a function that takes what was written since it was called
 * before.
 */
export async function openOutput(format: ListFormat, options: OutputOptions = {}) {
  let chunks: Uint8Array[] = [];
  const target = {
    write: async (chunk: Chunk) => void chunks.push(Buffer.from(chunk)),
    commit: async () => {},
    discard() {},
  };
  const writer = await createWriter(format, listRows(options), { rows: 10, run: RUN, ...options });
  const take = () => {
    const taken = Buffer.concat(chunks);
    chunks = [];
    return taken;
  };
  return { ...writeRows(target, writer, { isTerminal: options.terminal !== undefined }), take };
}

/** `rows` as a whole output. */
export async function written(format: ListFormat, rows: readonly Row[], options?: OutputOptions): Promise<Buffer> {
  const output = await openOutput(format, options);
  for (const row of rows) await output.row(withCells(row));
  await output.end({ counts: { scored: rows.length } });
  return output.take();
}
