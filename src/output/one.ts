/**
 * One wallet: the document for scripts, lines for `grep`, a card for a person. Other formats have
 * the row of a list.
 */

import type { Node, ObjectNode } from '../document/node.ts';
import { leaves, type Path } from '../document/path.ts';
import { writePretty } from '../document/write.ts';
import type { Field } from '../paths/fields.ts';
import { documentPathText } from '../paths/meta-shortcuts.ts';
import type { Row } from '../row/row.ts';
import { findIn, pick, rowNode } from '../row/row-node.ts';
import { findScore } from '../row/score.ts';
import { visible } from '../text/escape.ts';
import type { Terminal } from './terminal/lines.ts';
import { lineText } from './value-text.ts';

export interface OneOptions {
  readonly format: 'json' | 'table';
  /** The setting `score`. */
  readonly scorePath?: Path | undefined;
  /** Whether a sandbox answered. */
  readonly isSandbox?: boolean | undefined;
  readonly fields?: readonly Field[] | undefined;
  /** Whether the fields are added to the usual output instead of replacing it. */
  readonly keepsDefaults?: boolean | undefined;
  /** Set if the output is a terminal. */
  readonly terminal?: Terminal | undefined;
}

/**
 * The answer in `row` as text that ends in a newline. Text that may be much longer than the answer
 * is yielded in blocks.
 */
export async function* renderOne(row: Row, options: OneOptions): AsyncGenerator<string> {
  const { format, fields, keepsDefaults, terminal } = options;
  if (format === 'json') return yield `${writePretty(await jsonNode(row, options))}\n`;
  if (!fields || keepsDefaults) yield* renderDocument(row, options);
  if (fields && keepsDefaults && terminal) yield '\n';
  if (fields) yield await renderFields(row, { ...options, fields });
}

const documentOrRow = (row: Row): ObjectNode => row.document ?? rowNode(row);

async function jsonNode(row: Row, { fields, keepsDefaults }: OneOptions): Promise<ObjectNode> {
  if (!fields) return documentOrRow(row);
  const { pickInto } = await import('./list/list-rows.ts');
  return pickInto(keepsDefaults ? documentOrRow(row).members : [], pick(findIn(row), fields));
}

async function* renderDocument(row: Row, { terminal, scorePath, isSandbox }: OneOptions): AsyncGenerator<string> {
  const document = documentOrRow(row);
  if (!terminal) return yield* pathLines(document);
  const { renderCard } = await import('./card/card.ts');
  yield await renderCard(document, { ...terminal, row, score: findScore(document, scorePath), isSandbox });
}

/**
 * Approximate characters per block: a block is written at once, and signals are handled between
 * blocks.
 */
const BLOCK_LENGTH = 64 * 1024;

/**
 * For `grep`, `cut` and `awk`: a line `path<TAB>value` for every value in document order, with the
 * path that --fields accepts, digits not grouped, nothing shortened; null is `null`. In blocks of
 * whole lines.
 */
function* pathLines(document: ObjectNode): Generator<string> {
  let block = '';
  for (const { path, node } of leaves(document)) {
    block += `${visible(documentPathText(path))}\t${lineText(node)}\n`;
    if (block.length < BLOCK_LENGTH) continue;
    yield block;
    block = '';
  }
  if (block !== '') yield block;
}

/**
 * One line per picked field: aligned on a terminal, `name<TAB>value` on a pipe; a missing value is
 * `-` or empty.
 */
async function renderFields(row: Row, { fields, terminal }: OneOptions & { readonly fields: readonly Field[] }) {
  const picked = pick(findIn(row), fields).map(([name, node]) => [visible(name), node] as const);
  const text = (node: Node | undefined, absent: string) => (node ? lineText(node) : absent);
  if (!terminal) return picked.map(([name, node]) => `${name}\t${text(node, '')}\n`).join('');
  const [{ drawingOn, entryLines }, { shortText: shortened }] = await Promise.all([
    import('./terminal/lines.ts'),
    import('./card/card.ts'),
  ]);
  const entries = picked.map(([name, node]) => ({ name, text: shortened(text(node, '-')) }));
  return `${entryLines(entries, await drawingOn(terminal)).join('\n')}\n`;
}
