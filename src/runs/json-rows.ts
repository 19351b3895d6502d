/**
 * Elements of JSON as rows: whole rows (an answer and `_meta`), the printed answer for one wallet, and rows written with --fields,
 * whose members are read by their names.
 */
import { type Node, type ObjectNode, textNode } from '../document/node.ts';
import { memberOf } from '../document/path.ts';
import { cellText } from '../document/write.ts';
import type { JsonElement } from '../lists/json/json.ts';
import { readAhead } from '../lists/read-ahead.ts';
import { type Batches, map } from '../lists/rows.ts';
import { META } from '../row/paths/own-names.ts';
import { RENAMED_META } from '../row/row.ts';
import {
  type Columns,
  canonicalName,
  checkNames,
  type FileRow,
  fileRow,
  notRiskcliOutput,
  OF_ROW,
  type Reading,
} from './run.ts';

export interface PlacedElement extends JsonElement {
  /** Where its line begins in the file, in bytes. */
  readonly at?: number;
}

/** `elements` as rows. @throws ListError for what riskcli has not written */
export async function openElements(elements: Batches<PlacedElement>, reading: Reading): Promise<Batches<FileRow>> {
  const { taken, all } = await readAhead(elements, (batches) => batches.some((batch) => batch.length > 0));
  const [first] = taken.flat();
  if (first && isOurLine(first.node, 'riskcli_journal')) {
    throw notRiskcliOutput('it is a journal', { name: reading.name, hint: 'riskcli journal export makes rows of it' });
  }
  if (first?.node.kind === 'object' && !metaOf(first.node) && !isAnswerOfService(first.node)) {
    const { node } = first;
    checkNames((name) => memberOf(node, name) !== undefined, reading);
  }
  return map(all, (element) => jsonRow(element, reading));
}

/** Whether `node` is a line of ours that is no row: answers may have members of any name. */
export function isOurLine(node: Node, key: string): node is ObjectNode {
  if (node.kind !== 'object' || node.members[0]?.[0] !== key) return false;
  return !memberOf(node, META) && !memberOf(node, 'wallet_address');
}

/** @throws ListError for what is no row */
export function jsonRow(element: PlacedElement, reading: Omit<Reading, 'needs' | 'report'>): FileRow {
  const { line, node, at = 0 } = element;
  if (node.kind !== 'object') throw foreign(line, reading);
  const meta = metaOf(node);
  if (meta) return wholeRow(node, meta, element, reading);
  const columns: Columns = (name) => memberOf(node, name);
  const address = columns('wallet_address');
  if (!address) throw foreign(line, reading);
  if (isAnswerOfService(node)) {
    const onlyAddress: Columns = (name) => (name === 'wallet_address' ? address : undefined);
    return fileRow(onlyAddress, { line, at, input: address, document: node }, { ...reading, rescores: true });
  }
  return fileRow(columns, { line, at, input: columns('input') ?? address, document: pickedAnswer(node) }, reading);
}

/** Of a row written with --fields, what is not of the row itself. */
const pickedAnswer = ({ members }: ObjectNode): ObjectNode => ({
  kind: 'object',
  members: members.filter(([name]) => !OF_ROW.has(name)).map(([name, value]) => [canonicalName(name), value] as const),
});

const foreign = (line: number, { name }: Pick<Reading, 'name'>) =>
  notRiskcliOutput('this is not a row that riskcli wrote', { name, line });

/** What riskcli says of a row as jsonl and json have it; undefined for what was written in another way. */
function metaOf(node: ObjectNode): ObjectNode | undefined {
  const meta = memberOf(node, META);
  return meta?.kind === 'object' && cellText(memberOf(meta, 'status')) !== '' ? meta : undefined;
}

const CONTRACT = ['wallet_address', 'total_collateral_usd', 'defi_score'];
/** Whether it is the service's answer, as `riskcli profile WALLET --json` prints it. */
const isAnswerOfService = (node: ObjectNode) => CONTRACT.every((key) => memberOf(node, key));

function wholeRow(
  node: ObjectNode,
  meta: ObjectNode,
  { line, at = 0 }: PlacedElement,
  reading: Omit<Reading, 'needs' | 'report'>,
): FileRow {
  const error = memberOf(meta, 'error');
  const ofError = (name: string) => (error?.kind === 'object' ? memberOf(error, name) : undefined);
  const columns: Columns = (name) => {
    if (name === 'wallet_address') return memberOf(node, name);
    if (!name.startsWith('error')) return memberOf(meta, name);
    return ofError(name === 'error' ? 'message' : name.slice('error.'.length));
  };
  const input = columns('input') ?? columns('wallet_address') ?? textNode('');
  const lineOfList = Number(cellText(columns('line'))) || line;
  return fileRow(columns, { line: lineOfList, at, input, document: answerOf(node) }, reading);
}

/** The answer of a row: a `_meta` of the service has another name in it. */
function answerOf({ members }: ObjectNode): ObjectNode {
  const answer = members.filter((member) => member[0] !== META);
  if (!answer.some((member) => member[0] === RENAMED_META)) return { kind: 'object', members: answer };
  return {
    kind: 'object',
    members: answer.map(([key, value]) => [key === RENAMED_META ? META : key, value] as const),
  };
}
