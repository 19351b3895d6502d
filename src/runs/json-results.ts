/**
 * JSON and JSON Lines of earlier runs: whole rows (a document and `_meta`), the document of one wallet, and rows written with
 * --fields, whose members have the paths of their values as names.
 */
import type { Node, ObjectNode } from '../document/node.ts';
import { lookup, memberOf } from '../document/path.ts';
import type { JsonElement } from '../lists/json/json.ts';
import { readAhead } from '../lists/read-ahead.ts';
import { type Batches, map } from '../lists/rows.ts';
import { META } from '../row/paths/own-names.ts';
import { parseRowPath } from '../row/paths/row-path.ts';
import { assembleColumns, ownName, pathOf } from './columns.ts';
import { END_KEY, HEADER_KEY, type ReviewEnd, readEnd, readHeader } from './kept-review.ts';
import type { DefaultColumn, ResultRow } from './result.ts';
import { judged, missingColumns, notRiskcliOutput, type ResultSource, readScore, rowOf } from './row-values.ts';

/** `elements` as rows. @throws ListError for one that riskcli has not written */
export async function openElements(elements: Batches<JsonElement>, reading: ResultSource) {
  const { taken, all } = await readAhead(elements, { enough: (batches) => batches.some((batch) => batch.length > 0) });
  const [first] = taken.flat();
  if (first && first.node.kind === 'object' && memberOf(first.node, 'riskcli_journal')) {
    throw notRiskcliOutput('it is a journal', { name: reading.name, hint: 'riskcli journal export makes rows of it' });
  }
  if (first?.node.kind === 'object' && memberOf(first.node, HEADER_KEY)) {
    const { review, rows } = keptReview(first.node, all, reading);
    return { review, batches: map(rows, (element) => jsonRow(element, reading)) };
  }
  const missing = first ? missingIn(first, reading) : [];
  return { missing, batches: map(all, (element) => jsonRow(element, reading)) };
}

/** The first and the last line of a kept review are no rows. */
function keptReview(first: ObjectNode, elements: Batches<JsonElement>, { name }: ResultSource) {
  let end: ReviewEnd | undefined;
  const isRow = ({ node }: JsonElement) => {
    const isEnd = node.kind === 'object' && memberOf(node, END_KEY) !== undefined;
    if (isEnd) end = readEnd(node);
    return node !== first && !isEnd;
  };
  async function* rows(): Batches<JsonElement> {
    for await (const batch of elements) yield batch.filter(isRow);
  }
  return { review: { header: readHeader(first, name), end: () => end }, rows: rows() };
}

function jsonRow({ line, node }: JsonElement, reading: ResultSource): ResultRow {
  if (node.kind !== 'object') throw foreign(line, reading);
  return isWhole(node) ? wholeRow(node, line) : bareRow(node, line, reading);
}

/** Whether it is a document with `_meta`, which has the score that was found then. */
const isWhole = (node: ObjectNode) => memberOf(node, META)?.kind === 'object';

/** The default columns that rows such as `element` do not have. */
function missingIn({ node }: JsonElement, reading: ResultSource): readonly DefaultColumn[] {
  if (node.kind !== 'object' || isWhole(node)) return [];
  const whole = unpacked(node);
  return missingColumns((name) => bareValue(whole, name) !== undefined, isTold(node, reading));
}

/** Whether status and score can be derived from the members of a row without `_meta`. */
function isTold({ members }: ObjectNode, reading: ResultSource): boolean {
  const names = members.map(([name]) => ownName(name));
  const [whole = 'defi_score'] = reading.scorePath ?? [];
  return names.includes(String(whole)) || readScore(names, reading);
}

const foreign = (line: number, { name }: ResultSource) =>
  notRiskcliOutput('this is not a row that riskcli wrote', { name, line });

function wholeRow(node: ObjectNode, line: number): ResultRow {
  const value = (name: string) => {
    if (OF_ANSWER.has(name)) return memberOf(node, name);
    return lookup(node, name === 'error' ? [META, name, 'message'] : [META, name]);
  };
  const row = rowOf({ line, value, node: () => node });
  const isAnswered = row.status === 'scored' || row.status === 'no_score';
  return isAnswered ? { ...row, document: documentOf(node) } : row;
}

/** What is read of the answer itself. */
const OF_ANSWER: ReadonlySet<string> = new Set(['wallet_address', 'total_collateral_usd']);

/** The answer of a row: rows have the service's own `_meta` under another name. */
function documentOf(row: ObjectNode): ObjectNode {
  const members = row.members.filter(([key]) => key !== META);
  const own = `service.${META}`;
  return { kind: 'object', members: members.map(([key, value]) => [key === own ? META : key, value] as const) };
}

const CONTRACT = ['wallet_address', 'total_collateral_usd', 'defi_score'];

function bareRow(node: ObjectNode, line: number, reading: ResultSource): ResultRow {
  const isDocument = CONTRACT.every((key) => memberOf(node, key));
  // The printed answer for one wallet: its members are the service's.
  const whole = isDocument ? node : unpacked(node);
  if (!memberOf(whole, 'wallet_address')) throw foreign(line, reading);
  const told: Partial<Record<string, Node>> = isTold(node, reading) ? judged(whole, reading) : {};
  const value = (name: string) => bareValue(whole, name) ?? told[name];
  return rowOf({ line, value, node: () => whole, ...(isDocument && { document: node }) });
}

/** A value of a row written with --fields: its name may have been a path into `_meta`, or not. */
const bareValue = (whole: ObjectNode, name: string) =>
  (OF_ANSWER.has(name) ? undefined : lookup(whole, [META, name])) ?? memberOf(whole, name);

/** `node` with its members at the paths that are their names, such as `defi_score.risk_level`. */
function unpacked(node: ObjectNode): ObjectNode {
  const names = node.members.map(([name]) => ownName(name));
  const paths = names.map((name) => pathOf(name, parseRowPath));
  if (paths.every((path, i) => path.length === 1 && path[0] === node.members[i]?.[0])) return node;
  const values: readonly Node[] = node.members.map(([, value]) => value);
  return assembleColumns(paths)(values);
}
