/** A wallet's card on a page: everything in its row, numbers verbatim, arrays of objects as tables. */
import { isEmpty, isScalar, type Node, type ObjectNode } from '../../../document/node.ts';
import { joinPath, type Located, lookup, memberOf } from '../../../document/path.ts';
import { writeCompact } from '../../../document/write.ts';
import { META } from '../../../row/paths/own-names.ts';
import { lineText } from '../../value-text.ts';
import { minuteOf } from '../amounts.ts';
import type { PageRow } from '../page-data.ts';
import { h, type Markup } from './markup.ts';
import { scrolling, table } from './parts.ts';
import { dollarText, statusText } from './table.ts';

/** The content below the title; `node` is the whole row, if the page has it. */
export function cardBody(row: PageRow, node: ObjectNode | undefined): readonly Markup[] {
  if (!node) return [facts(factsOf(row)), h('p', { class: 'note' }, NO_ROOM)];
  const input = inputOf(node);
  return [
    facts(factsOf(row)),
    ...(input ? [h('h3', {}, 'In the list'), ...section({ path: '', node: input })] : []),
    ...documentSections(node),
  ];
}

const NO_ROOM = 'The page has no room for the whole answer: the file that it was made from has it.';

type Fact = readonly [name: string, value: Markup | undefined];

function factsOf({ status, score, collateral, matched, unjudged, excused, ...row }: PageRow): readonly Fact[] {
  return [
    ['Status', status && statusText(status)],
    ['Score', score],
    ['Collateral', dollarText(collateral)],
    ['Matched', matched?.join(', ')],
    ['Not judged', unjudged?.join(', ')],
    ['Excused', excused?.map(({ text }) => text).join('; ')],
    ['Incomplete', row.warning],
    ['Error', row.error],
    ['Answered', row.at && minuteOf(row.at)],
    ['Line of the list', String(row.line)],
  ];
}

function facts(entries: readonly Fact[]): Markup {
  const told = entries.filter(([, value]) => value !== undefined);
  const pairs = told.map(([name, value]) => h('div', {}, h('dt', {}, name), h('dd', {}, value)));
  return h('dl', {}, pairs);
}

function inputOf(node: ObjectNode): ObjectNode | undefined {
  const input = lookup(node, [META, 'input']);
  return input?.kind === 'object' && input.members.length > 0 ? input : undefined;
}

function documentSections({ members }: ObjectNode): readonly Markup[] {
  const answer: ObjectNode = { kind: 'object', members: members.filter(([key]) => !TOLD.includes(key)) };
  return answer.members.length === 0 ? [] : [h('h3', {}, 'The answer'), ...section({ path: '', node: answer })];
}

/** Members shown elsewhere on the card. */
const TOLD: readonly string[] = [META, 'wallet_address'];

/** Deeper containers are shown as JSON. */
const MAX_DEPTH = 12;

/** The node under a heading with its path: scalars first, then containers as sections. */
function section({ path, node }: Located, depth = 0): readonly Markup[] {
  const heading = path === '' ? [] : [h('h3', {}, path)];
  if (depth === MAX_DEPTH || isScalar(node)) return [...heading, h('p', {}, h('code', {}, writeCompact(node)))];
  const table = tableOf({ path, node }) ?? listOf(node);
  if (table) return [...heading, table];
  const children = childrenOf({ path, node });
  const [simple, containers] = [children.filter(isSimple), children.filter((child) => !isSimple(child))];
  return [
    ...(simple.length > 0 ? [...heading, facts(simple.map(({ name, node }) => [name, lineText(node)]))] : []),
    ...containers.flatMap((child) => section(child, depth + 1)),
  ];
}

type Child = Located & { readonly name: string };

const isSimple = ({ node }: Child) => isScalar(node) || isEmpty(node);

function childrenOf({ path, node }: Located): readonly Child[] {
  if (node.kind === 'object') {
    return node.members.map(([name, value]) => ({ name, path: joinPath(path, name), node: value }));
  }
  if (node.kind !== 'array') return [];
  return node.items.map((item, i) => ({ name: `[${i}]`, path: joinPath(path, i), node: item }));
}

/** A list, if `node` is an array of scalars. */
function listOf(node: Node): Markup | undefined {
  if (node.kind !== 'array' || !node.items.every(isScalar)) return undefined;
  const items = node.items.map((item) => h('li', {}, lineText(item)));
  return h('ul', {}, items);
}

const MAX_COLUMNS = 12;

/** A table, if all children of `node` are objects that share most of their keys. */
function tableOf({ path, node }: Located): Markup | undefined {
  const children = childrenOf({ path: '', node });
  const isNamed = node.kind === 'object';
  const items = children.flatMap(({ name, node }) =>
    node.kind === 'object' && node.members.length > 0 ? [{ name, node }] : [],
  );
  if (items.length < children.length || items.length < (isNamed ? 2 : 1)) return undefined;
  const names = [...new Set(items.flatMap(({ node }) => node.members.map(([key]) => key)))];
  const isAlike = items.every(({ node }) => 2 * node.members.length >= names.length);
  const isUnique = items.every(({ node }) => new Set(node.members.map(([key]) => key)).size === node.members.length);
  if (names.length > MAX_COLUMNS || !isAlike || !isUnique) return undefined;
  const columns = [...(isNamed ? [{ title: 'Name' }] : []), ...names.map((title) => ({ title }))];
  const rows = items.map(({ name, node }) => ({
    cells: [...(isNamed ? [name] : []), ...names.map((column) => textIn(memberOf(node, column)))],
  }));
  return scrolling(`Table of ${path || 'the answer'}`, table({}, columns, rows));
}

const textIn = (node: Node | undefined) => node && lineText(node);
