/** What an answer twice as long costs in all views together. */
import { growth } from './cost.ts';
import { SHAPES } from './shapes.ts';
import { rowOf, VIEWS, WALLET } from './views.ts';

/** The shape wherever a view looks: among the fields, as an amount, as the score, as an error, as a key of the score's. */
const answerWith = (x: string) =>
  `{"wallet_address":"${WALLET}","total_collateral_usd":1,"defi_score":{"score":${x},"y":${x}},"x":${x},"x_usd":${x},"errors":${x}}`;

export async function showAll(text: string): Promise<void> {
  const row = rowOf(text);
  for (const show of Object.values(VIEWS)) await show(row);
}

/** Characters of the answers to begin with: a part of the shape takes many of them, or no more are shown. */
const SIZES: Readonly<Record<string, number>> = {
  nesting: 12_800,
  'nested members': 10_000,
  'a key of table columns': 800,
};

export function growthOfViews(name: string): Promise<number> {
  const make = SHAPES[name] ?? String;
  return growth((size) => showAll(answerWith(make(size))), SIZES[name] ?? 8_000);
}
