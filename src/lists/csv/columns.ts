/**
 * Which column of a list holds the wallets. Judged by what is in the first rows, then by name; when two columns could be
 * meant it is asked, since a guess would spend requests on the wrong wallets.
 */

import { withholdEach } from '../../secrets/mnemonic.ts';
import { addressesIn, readWallet, type WalletRules } from '../../wallet/address.ts';
import { ListDamage } from '../damage.ts';
import type { Line } from '../lines.ts';
import { parseCsv } from './csv.ts';

type Cells = readonly string[];

/** What parts the cells of a line, in files as people have them. */
export const DELIMITERS = [',', ';', '\t', '|'];
/** Those that `lines` have: by any other, each line is one cell. */
export const delimitersIn = (lines: readonly Line[]) =>
  DELIMITERS.filter((delimiter) => lines.some(({ text }) => text.includes(delimiter)));

/**
 * The delimiter of the CSV that `lines` are the beginning of; undefined when they are one column. The best is the one that
 * leaves addresses alone in their cells, then the one that gives most rows as many cells as the first has.
 */
export function chooseDelimiter(lines: readonly Line[], rules: WalletRules): string | undefined {
  const rated = delimitersIn(lines).map((delimiter) => rate(parseCsv(lines, { delimiter }), { delimiter, rules }));
  const [best] = rated
    .filter(({ isTable }) => isTable)
    .sort((a, b) => b.exact - a.exact || b.regular - a.regular || b.width - a.width);
  return best?.delimiter;
}

function rate(rows: readonly Cells[], by: { delimiter: string; rules: WalletRules }) {
  const width = rows[0]?.length ?? 0;
  const regular = rows.filter((cells) => cells.length === width).length;
  return {
    delimiter: by.delimiter,
    width,
    regular,
    exact: rows.filter((cells) => cells.some((cell) => readWallet(cell.trim(), by.rules).ok)).length,
    // A list with a comma at the end of its lines, or in the odd note, is no table.
    isTable: width > 1 && regular * 2 > rows.length && rows.some((cells) => cells.slice(1).some(isFilled)),
  };
}

const isFilled = (cell: string) => cell.trim() !== '';
const plain = (name: string) => name.toLowerCase().replace(/[^a-z0-9]/g, '');
const MAIN_NAME = /^(wallet|(wallet)?addr(ess)?)$/;
// Made of nothing but NAME_WORDS, one of them a word for a wallet: a line that says "not a wallet" names no column.
const WALLET_WORD = /adr|addr|wallet|holder|owner|account|recipient|sender|borrower/;
const NAME_WORDS =
  /^(addr(ess|esse)?|adresse|wallet|holder|owner|account|recipient|sender|borrower|user|customer|client|from|to|eth|ethereum|evm|token|contract|id|s){1,6}$/;
const isMainName = (name: string) => MAIN_NAME.test(plain(name));
export const isKnownName = (name: string) =>
  name.length < 64 && WALLET_WORD.test(plain(name)) && NAME_WORDS.test(plain(name));
// Whoever wrote this meant a wallet, well or badly: it is no column's name.
const LOOKS_LIKE_WALLET = /0x[0-9a-f]{4}|[0-9a-f]{40}|\.eth$|^XE\d\d/i;
export const looksLikeWallet = (cell: string) => LOOKS_LIKE_WALLET.test(cell.trim());

/**
 * Whether the first of `rows` names the columns. In a single column only a well-known name counts, since a first line that
 * is merely no address must not vanish.
 */
export function hasHeader(rows: readonly Cells[], rules: WalletRules): boolean {
  const [first = [], ...rest] = rows;
  if (first.some(looksLikeWallet)) return false;
  if (first.some(isKnownName)) return true;
  return first.length > 1 && rest.some((cells) => cells.some((cell) => walletsIn(cell, rules) !== ''));
}

/** What the cell says of wallets, equal for equal wallets; empty when there is none. */
function walletsIn(cell: string, rules: WalletRules): string {
  const text = cell.trim();
  const found = readWallet(text, rules).ok ? [text] : addressesIn(text, rules.format);
  return [...new Set(found.map((address) => address.toLowerCase()))].join(' ');
}

/**
 * The index in `columns` of the one that `wanted` names: as it is, else whatever the case, else by its number from 1.
 * @throws ListDamage when there is none or more than one.
 */
export function namedColumn(columns: Cells, wanted: string): number {
  const sameAs = (form: (name: string) => string) => indexes(columns, (i) => form(columns[i] ?? '') === form(wanted));
  const exact = sameAs((name) => name);
  const found = exact.length > 0 ? exact : sameAs((name) => name.trim().toLowerCase());
  const [index, another] = found;
  if (another !== undefined) {
    throw new ListDamage(`several columns are called ${listed([wanted])}`, {
      hint: `choose one by its number: --column ${found.map((i) => i + 1).join(' or --column ')}`,
    });
  }
  const number = /^\d{1,6}$/.test(wanted) ? Number(wanted) : 0;
  if (index === undefined && (number < 1 || number > columns.length)) {
    throw new ListDamage(`there is no column ${listed([wanted])}`, {
      hint: `use one of ${listed(columns)}`,
    });
  }
  return index ?? number - 1;
}

/**
 * The index of the column with the wallets, by the rows at the beginning of the list.
 * @throws ListDamage when none or several may be meant, naming them.
 */
export function walletColumn(columns: Cells, rows: readonly Cells[], rules: WalletRules): number {
  const contents = columns.map((_, i) => rows.map((cells) => walletsIn(cells[i] ?? '', rules)).join('\n'));
  // A link beside the address it leads to is the same wallet in every row: the first of such columns stands for all.
  const firsts = new Map([...contents.entries()].reverse().map(([i, content]) => [content, i]));
  const holding = indexes(columns, (i) => contents[i]?.trim() !== '' && firsts.get(contents[i] ?? '') === i);
  const main = indexes(columns, (i) => isMainName(columns[i] ?? ''));
  const known = indexes(columns, (i) => isKnownName(columns[i] ?? ''));
  // Addresses in one column while another is called the wallet, and is not empty, are as likely to be of something else.
  const rivals = main.filter((i) => contents[i]?.trim() === '' && rows.some((cells) => isFilled(cells[i] ?? '')));
  const choices =
    holding.length === 1
      ? [[...holding, ...rivals]]
      : holding.length > 1
        ? [holding.filter((i) => isMainName(columns[i] ?? '')), holding]
        : [main, known, indexes(columns, () => columns.length === 1)];
  const [index] = choices.find((found) => found.length === 1) ?? [];
  if (index !== undefined) return index;
  const rivalling = holding.length > 0 ? [...new Set([...holding, ...rivals])].sort((a, b) => a - b) : [];
  throw unclear(columns, rivalling);
}

function unclear(columns: Cells, rivalling: readonly number[]): ListDamage {
  const problem =
    rivalling.length > 0
      ? `the wallets could be in any of these columns: ${listed(rivalling.map((i) => columns[i] ?? ''))}`
      : `none of the columns contains addresses: ${listed(columns)}`;
  return new ListDamage(problem, { hint: 'choose one with --column, by name or by number (from 1)' });
}

function indexes(columns: Cells, isMeant: (index: number) => boolean): readonly number[] {
  return [...columns.keys()].filter(isMeant);
}

const MAX_NAMES_LISTED = 20;
const MAX_NAME_LENGTH = 40;

/** Names for a message: not too many, not too long, and nothing in them that may be a key. */
function listed(columns: Cells): string {
  if (columns.length === 0) return 'none';
  const names = withholdEach(columns.slice(0, MAX_NAMES_LISTED)).map((name) => `'${name.slice(0, MAX_NAME_LENGTH)}'`);
  const more = columns.length - names.length;
  return more > 0 ? `${names.join(', ')} and ${more} more` : names.join(', ');
}
