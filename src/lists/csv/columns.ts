/**
 * Which column of a list holds the wallets: decided by the contents of the first rows, then by
 * name. If several are possible it is an error, since a guess could spend requests on the wrong
 * wallets.
 */

import { redactPrivateKeys } from '../../secrets/private-key.ts';
import { matchNames } from '../../text/same-name.ts';
import { addressesIn, readWallet, type WalletRules } from '../../wallet/address.ts';
import type { Line } from '../lines.ts';
import { ListSyntaxError } from '../syntax-error.ts';
import { parseCsv } from './csv.ts';

export type Cells = readonly string[];

/** Delimiters between cells. */
export const DELIMITERS = [',', ';', '\t', '|'];
/** The delimiters that occur in `lines`. */
export const delimitersIn = (lines: readonly Line[]) =>
  DELIMITERS.filter((delimiter) => lines.some(({ text }) => text.includes(delimiter)));

/**
 * The delimiter of the CSV that begins with `lines`; undefined when they are one column. The best
 * one gives most cells that are exactly an address, then most rows with as many cells as the first.
 */
export function chooseDelimiter(lines: readonly Line[], rules: WalletRules): string | undefined {
  const rated = delimitersIn(lines).map((delimiter) => rate(parseCsv(lines, { delimiter }), delimiter, rules));
  const [best] = rated
    .filter(({ isTable }) => isTable)
    .sort((a, b) => b.exact - a.exact || b.regular - a.regular || b.width - a.width);
  return best?.delimiter;
}

function rate(rows: readonly Cells[], delimiter: string, rules: WalletRules) {
  const width = rows[0]?.length ?? 0;
  const regular = rows.filter((cells) => cells.length === width).length;
  return {
    delimiter,
    width,
    regular,
    exact: rows.filter((cells) => cells.some((cell) => readWallet(cell.trim(), rules).ok)).length,
    // Commas at the ends of lines, or in an occasional note, do not make a table.
    isTable: width > 1 && regular * 2 > rows.length && rows.some((cells) => cells.slice(1).some(isFilled)),
  };
}

const isFilled = (cell: string) => cell.trim() !== '';
const plain = (name: string) => name.toLowerCase().replace(/[^a-z0-9]/g, '');
const MAIN_NAME = /^(wallet|(wallet)?addr(ess)?)$/;
// Only of NAME_WORDS, one of them a word for a wallet: the line "not a wallet" does not name a
// column.
const WALLET_WORD = /adr|addr|wallet|holder|owner|account|recipient|sender|borrower/;
const NAME_WORDS =
  /^(addr(ess|esse)?|adresse|wallet|holder|owner|account|recipient|sender|borrower|user|customer|client|from|to|eth|ethereum|evm|token|contract|id|s){1,6}$/;
const isMainName = (name: string) => MAIN_NAME.test(plain(name));
export const isKnownName = (name: string) => WALLET_WORD.test(plain(name)) && NAME_WORDS.test(plain(name));
// Other usual names of columns in lists of wallets.
const USUAL_WORDS =
  /^(name|label|note|notes|comment|tag|type|status|group|rank|no|nr|number|count|amount|balance|quantity|value|price|usd|share|percentage|date|time|timestamp|block|tx|txn|hash|chain|network|chainid|symbol|email|country|link|url)$/;
/** Whether a column may well be called `name`: the row that has it is a header. */
export const isUsualName = (name: string) =>
  isKnownName(name) ||
  name
    .toLowerCase()
    .split(/[^a-z]+/)
    .some((word) => USUAL_WORDS.test(word) || NAME_WORDS.test(word));
// Meant as a wallet, even if mistyped, so not the name of a column.
const LOOKS_LIKE_WALLET = /0x[0-9a-f]{4}|[0-9a-f]{40}|\.eth$|^XE\d\d/i;
export const looksLikeWallet = (cell: string) => LOOKS_LIKE_WALLET.test(cell.trim());

/**
 * Whether the first of `rows` names the columns. In a single column only a known name counts: any
 * other first line that is not an address must not be dropped.
 */
export function hasHeader(rows: readonly Cells[], rules: WalletRules): boolean {
  const [first = [], ...rest] = rows;
  if (first.some(looksLikeWallet)) return false;
  if (first.some(isKnownName)) return true;
  return first.length > 1 && rest.some((cells) => cells.some((cell) => walletsIn(cell, rules) !== ''));
}

/** The wallets in the cell as text that is equal for equal wallets; empty when there are none. */
export function walletsIn(cell: string, rules: WalletRules): string {
  const text = cell.trim();
  const found = readWallet(text, rules).ok ? [text] : addressesIn(text);
  return [...new Set(found.map((address) => address.toLowerCase()))].join(' ');
}

/**
 * The index in `columns` of the one that `wanted` names, else of the one with that number from 1.
 * @throws ListSyntaxError when there is none or more than one
 */
export function namedColumn(columns: Cells, wanted: string): number {
  const found = matchNames(columns, wanted);
  const [index, another] = found;
  if (another !== undefined) {
    throw new ListSyntaxError(`several columns are called ${columnList([wanted])}`, {
      hint: `choose one by its number: --column ${found.map((i) => i + 1).join(' or --column ')}`,
    });
  }
  const number = /^\d{1,6}$/.test(wanted) ? Number(wanted) : 0;
  if (index === undefined && (number < 1 || number > columns.length)) {
    throw new ListSyntaxError(`there is no column ${columnList([wanted])}`, {
      hint: `use one of ${columnList(columns)}`,
    });
  }
  return index ?? number - 1;
}

/**
 * The index of the column with the wallets, decided by the first rows of the list.
 * @throws ListSyntaxError that names the columns when none or several are possible
 */
export function walletColumn(columns: Cells, rows: readonly Cells[], rules: WalletRules): number {
  const all = columns.map((name, i) => {
    const cells = rows.map((row) => row[i] ?? '');
    // The wallets of the cells, one for each line.
    const wallets = cells.map((cell) => walletsIn(cell, rules)).join('\n');
    return { name, index: i, wallets, isEmpty: !cells.some(isFilled) };
  });
  // Columns with the same wallet in every row, as an address and a link to it, count as one.
  const firsts = new Map(all.toReversed().map((column) => [column.wallets, column]));
  const holding = all.filter((column) => column.wallets.trim() !== '' && firsts.get(column.wallets) === column);
  const main = all.filter(({ name }) => isMainName(name));
  // If another column is called wallet and is not empty, the addresses found may belong to
  // something else.
  const rivals = main.filter(({ wallets, isEmpty }) => wallets.trim() === '' && !isEmpty);
  const choices =
    holding.length === 0
      ? [main, all.filter(({ name }) => isKnownName(name)), all]
      : [holding.length === 1 ? [...holding, ...rivals] : holding.filter((column) => main.includes(column))];
  const [chosen] = choices.find((found) => found.length === 1) ?? [];
  if (chosen) return chosen.index;
  const rivalling = all.filter((column) => holding.includes(column) || rivals.includes(column));
  const problem =
    holding.length > 0
      ? `the wallets could be in any of these columns: ${columnList(rivalling.map(({ name }) => name))}`
      : `none of the columns contains addresses: ${columnList(columns)}`;
  throw new ListSyntaxError(problem, { hint: 'choose one with --column, by name or by number (from 1)' });
}

const MAX_NAMES_LISTED = 20;
const MAX_LISTED_NAME_LENGTH = 40;

/** Names for a message: not too many, not too long, and without what may be a key. */
function columnList(columns: Cells): string {
  const names = columns
    .slice(0, MAX_NAMES_LISTED)
    .map((name) => `'${redactPrivateKeys(name).slice(0, MAX_LISTED_NAME_LENGTH)}'`);
  const more = columns.length - names.length;
  return more > 0 ? `${names.join(', ')} and ${more} more` : names.join(', ');
}
