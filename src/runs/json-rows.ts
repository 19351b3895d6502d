/**
 * Elements of JSON as rows: whole rows (an answer and `_meta`), the printed answer for one wallet,
 * and rows written with --fields, whose members are read by their names.
 */

import type { ObjectNode } from '../document/node.ts';
import { memberOf } from '../document/path.ts';
import { cellText } from '../document/write.ts';
import type { JsonElement } from '../lists/json/json.ts';
import { readAhead } from '../lists/read-ahead.ts';
import { type Batches, map } from '../lists/rows.ts';
import { META } from '../row/row.ts';
import { RENAMED_META } from '../row/row-node.ts';
import { canonicalName, fileRow, META_COLUMNS } from './file-row.ts';
import { isMarkerLine, JOURNAL_KEY } from './marker-lines.ts';
import { checkNames, type FileReadOptions, type FileRow, notRiskcliOutput, type RowReadOptions } from './run.ts';

export interface PlacedElement extends JsonElement {
  /** The offset of its line in the file, in bytes. */
  readonly at?: number;
}

/** `elements` as rows. @throws ListError for what riskcli has not written */
export async function openElements(
  elements: Batches<PlacedElement>,
  options: FileReadOptions,
): Promise<Batches<FileRow>> {
  const { taken, all } = await readAhead(elements, (batches) => batches.some((batch) => batch.length > 0));
  const node = taken.flat()[0]?.node;
  if (node && isMarkerLine(node, JOURNAL_KEY)) {
    const hint = "jq -c '.document // empty' prints its answers, which are rows";
    throw notRiskcliOutput('it is a journal', { name: options.name, hint });
  }
  if (node?.kind === 'object' && !metaOf(node) && !isAnswerOfService(node)) {
    checkNames(
      node.members.map(([name]) => name),
      options,
    );
  }
  return map(all, (element) => jsonRow(element, options));
}

/** @throws ListError for what is no row */
export function jsonRow({ line, node, at = 0 }: PlacedElement, options: RowReadOptions): FileRow {
  if (node.kind !== 'object') throw noRow(line, options);
  const address = memberOf(node, 'wallet_address');
  const meta = metaOf(node);
  if (meta) {
    const input = memberOf(meta, 'input');
    const lineOfList = Number(cellText(memberOf(meta, 'line'))) || line;
    return fileRow({ line: lineOfList, at, address, input, meta, answer: answerOf(node) }, options);
  }
  if (!address) throw noRow(line, options);
  if (isAnswerOfService(node)) {
    const rescoring = { ...options, rescores: true };
    return fileRow({ line, at, address, input: address, meta: objectWith([]), answer: node }, rescoring);
  }
  const input = memberOf(node, 'input');
  const metaMembers = node.members.filter(([name]) => META_COLUMNS.has(name));
  const others = node.members.filter(([name]) => !META_COLUMNS.has(name));
  const answer = others.map(([name, value]) => [canonicalName(name), value] as const);
  return fileRow({ line, at, address, input, meta: objectWith(metaMembers), answer: objectWith(answer) }, options);
}

const noRow = (line: number, { name }: RowReadOptions) =>
  notRiskcliOutput('this is not a row that riskcli wrote', { name, line });

const objectWith = (members: ObjectNode['members']): ObjectNode => ({ kind: 'object', members });

/**
 * The facts of riskcli on a row of jsonl or json; undefined for a row that was written in another
 * way.
 */
function metaOf(node: ObjectNode): ObjectNode | undefined {
  const meta = memberOf(node, META);
  return meta?.kind === 'object' && cellText(memberOf(meta, 'status')) !== '' ? meta : undefined;
}

const CONTRACT = ['wallet_address', 'total_collateral_usd', 'defi_score'];
/** Whether it is the service's answer, as `riskcli profile WALLET --json` prints it. */
const isAnswerOfService = (node: ObjectNode) => CONTRACT.every((key) => memberOf(node, key));

/** The answer of a whole row: a `_meta` of the service has another name in it. */
function answerOf({ members }: ObjectNode): ObjectNode {
  const answer = members.filter((member) => member[0] !== META);
  if (!answer.some((member) => member[0] === RENAMED_META)) return objectWith(answer);
  return objectWith(answer.map(([key, value]) => [key === RENAMED_META ? META : key, value] as const));
}
