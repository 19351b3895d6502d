/**
 * Decides offline and strictly whether a text is a wallet address, and if not, says what it looks
 * like instead. No message repeats the text, since it may be a key; the caller quotes it.
 */
import { keccak_256 } from '@noble/hashes/sha3.js';
import type { WalletErrorCode } from '../error-codes.ts';
import { holdsPrivateKey } from '../secrets/private-key.ts';

export type WalletReading = Wallet | NotWallet;

export interface Wallet {
  readonly ok: true;
  /** As it was typed, always with a lower-case `0x`: what is sent and shown. */
  readonly address: string;
  /** The address in lower case: equal for all spellings of one wallet. */
  readonly id: string;
}

export interface NotWallet {
  readonly ok: false;
  /**
   * Stable machine name. The last two are never codes of a row: lists take an address out of other
   * text.
   */
  readonly code: WalletErrorCode | 'not_alone' | 'chain_prefix';
  /** The fault, without the text itself. */
  readonly message: string;
  readonly hint: string;
}

export interface WalletRules {
  /** Whether mixed case has to pass EIP-55; RSK, for example, uses another checksum (EIP-1191). */
  readonly checksum: boolean;
}

const WHOLE_ADDRESS = /^0x[0-9a-f]{40}$/i;

// Inside other text an address is one word: with more digits or letters at either end it is
// something else.
const ADDRESS_INSIDE = /(?<![0-9a-z])0x[0-9a-f]{40}(?![0-9a-z])/gi;

/** The bytes of an address in psql and, with the backslash doubled, in a file that COPY wrote. */
const DATABASE_BYTES = /^\\{1,2}x([0-9a-f]{40})$/i;

const EXPECTED = 'expected 0x and 40 hex digits, such as 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';

const LEAKED = 'if it is one, treat it as leaked, and remove it from the history of your shell';

// ENS names and links are far shorter; a longer text is only said to be too long.
const MAX_SHAPE_LENGTH = 4096;

/** Whether `text` is an address and nothing else, its checksum aside. */
export const isAddress = (text: string): boolean => WHOLE_ADDRESS.test(text);

/**
 * Reads `text`, which has to be an address and nothing else: no blanks around it, no prefix but 0x.
 */
export function readWallet(text: string, rules: WalletRules): WalletReading {
  if (!isAddress(text)) return explainNotWallet(text);
  const address = `0x${text.slice(2)}`;
  if (rules.checksum && !hasValidChecksum(address)) {
    return notWallet(
      'checksum',
      'its EIP-55 checksum (the case of its letters) is wrong, almost always because of a typo',
      'copy it again from its source (--no-checksum accepts any case)',
    );
  }
  return { ok: true, address, id: address.toLowerCase() };
}

/** The addresses inside `text`, in order, each as spelled. */
export function addressesIn(text: string): readonly string[] {
  return text.match(ADDRESS_INSIDE) ?? [];
}

/** Why a text that holds `count` different addresses is not one wallet. */
function severalWallets(count: number): NotWallet {
  return notWallet('ambiguous', `it contains ${count} different addresses`, 'give one address at a time');
}

const notWallet = (code: NotWallet['code'], message: string, hint: string): NotWallet => ({
  ok: false,
  code,
  message,
  hint,
});

/** Says what a text that is not an address looks like. */
function explainNotWallet(text: string): NotWallet {
  if (text.trim() === '') return notWallet('empty', 'there is no address', EXPECTED);
  if (holdsPrivateKey(text))
    return notWallet('secret', 'it may be a private key, so it is neither shown nor sent', LEAKED);
  const inside = new Set(addressesIn(text).map((address) => address.toLowerCase()));
  if (inside.size > 1) return severalWallets(inside.size);
  const [address] = addressesIn(text);
  if (address !== undefined) return explainSurroundings(text, address);
  if (text.length > MAX_SHAPE_LENGTH) return notWallet('length', `it is ${text.length} characters long`, EXPECTED);
  return explainShape(text);
}

/** For a text with something else beside its one address. */
function explainSurroundings(text: string, address: string): NotWallet {
  const hint = `pass ${address} alone`;
  // EIP-3770: short chain name, colon, address.
  return /^[a-z0-9-]{1,32}:0x[0-9a-f]+$/i.test(text)
    ? notWallet('chain_prefix', 'there is the name of a chain before the address', hint)
    : notWallet('not_alone', 'there is other text around the address', hint);
}

function explainShape(text: string): NotWallet {
  const hint = EXPECTED;
  if (/^[0-9a-f]{40}$/i.test(text)) return notWallet('no_prefix', '0x is missing', `pass 0x${text}`);
  const [, digits] = DATABASE_BYTES.exec(text) ?? [];
  if (digits !== undefined)
    return notWallet('no_prefix', 'it is bytes as a database prints them: write 0x for \\x', `pass 0x${digits}`);
  // ICAP: XE, two check digits, 30 or 31 characters of base 36.
  if (/^XE\d{2}[0-9A-Z]{30,31}$/i.test(text)) return notWallet('icap', 'it is an ICAP code, not an address', hint);
  if (/^0x[0-9a-f]*$/i.test(text)) {
    return notWallet(
      'length',
      `it has ${text.length === 3 ? '1 hex digit' : `${text.length - 2} hex digits`} after 0x`,
      hint,
    );
  }
  if (/^0x/i.test(text)) {
    const at = 3 + text.slice(2).search(/[^0-9a-f]/i);
    return notWallet('not_hex', `character ${at} is not a hex digit`, hint);
  }
  if (/^[^\s/:?#@]+\.[a-z]{2,}$/i.test(text)) {
    return notWallet('ens', 'it looks like an ENS name, and names are not looked up', hint);
  }
  return notWallet('not_address', 'it does not begin with 0x', hint);
}

/**
 * The EIP-55 spelling of `address`, which is `0x` and 40 hex digits in any case: a letter is a
 * capital where the same nibble of keccak-256 of the lower-case digits is 8 or more.
 */
export function toChecksum(address: string): string {
  const digits = address.slice(2).toLowerCase();
  const hash = Buffer.from(keccak_256(Buffer.from(digits))).toString('hex');
  let out = '0x';
  for (let i = 0; i < digits.length; i++) {
    const digit = digits.charAt(i);
    out += hash.charAt(i) >= '8' ? digit.toUpperCase() : digit;
  }
  return out;
}

/** Whether the letters of `address` are all lower case, all upper case, or as EIP-55 demands. */
export function hasValidChecksum(address: string): boolean {
  const digits = address.slice(2);
  if (digits === digits.toLowerCase() || digits === digits.toUpperCase()) return true;
  return toChecksum(address).slice(2) === digits;
}

/**
 * Reads a cell of a list: an address, or exactly one address (in any number of spellings) inside
 * other text. Lists come out of explorers, sheets and chats, so that an address may be wrapped in a
 * link, quotes or markdown.
 */
export function findWallet(cell: string, rules: WalletRules): WalletReading {
  const text = cell.trim();
  if (isAddress(text)) return readWallet(text, rules);
  const inside = addressesIn(text);
  const distinct = new Set(inside.map((address) => address.toLowerCase())).size;
  if (distinct === 0) return readWallet(text, rules);
  if (distinct > 1) return severalWallets(distinct);
  // A link often has the lower-case spelling and its text the mixed one: one valid spelling is
  // enough.
  const readings = inside.map((address) => readWallet(address, rules));
  return readings.find((reading) => reading.ok) ?? readings[0] ?? readWallet(text, rules);
}
