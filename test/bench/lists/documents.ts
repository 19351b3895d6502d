/**
 * What answers cost beside JSON.parse and JSON.stringify on the same text, at 1 kB, 20 kB and 200 kB. CPU time, the least of
 * several turns that are taken in alternation: what else the machine does only ever adds.
 */
import type { ObjectNode } from '../../../src/document/node.ts';
import { parseDocument } from '../../../src/document/parse.ts';
import { leaves, memberOf } from '../../../src/document/path.ts';
import { decodeUtf8 } from '../../../src/document/utf8.ts';
import { writeCompact } from '../../../src/document/write.ts';
import { classify } from '../../../src/row/row.ts';
import { profileOf } from '../../../src/sandbox/profile.ts';
import { address } from '../../fixtures/place/wallets.ts';

export interface DocumentFigure {
  readonly what: string;
  /** What it takes as a multiple of what JSON's own takes on the same text, in the order of SIZES. */
  readonly ratios: readonly number[];
}

/** Characters of an answer. */
export const SIZES = [1_000, 20_000, 200_000] as const;

const TURNS = 15;
const CHARACTERS_A_TURN = 4_000_000;

interface Work {
  readonly what: string;
  readonly own: (text: string) => unknown;
  readonly yardstick: (text: string) => unknown;
}

const read = (text: string) => parseDocument(text) as ObjectNode;

/** Work on a document that is there already: `make` is not part of what is measured. */
function remembered<T>(make: (text: string) => T): (text: string) => T {
  const made = new Map<string, T>();
  return (text) => {
    const value = made.get(text) ?? make(text);
    made.set(text, value);
    return value;
  };
}

const whole = remembered((text) => {
  const document = read(text);
  for (const _ of leaves(document));
  return document;
});
const plain = remembered(JSON.parse);
const bytes = remembered((text: string) => Buffer.from(text));

const WORKS: readonly Work[] = [
  {
    what: 'accepted: is it JSON, and of which members',
    own: (text) => read(text).members.length,
    yardstick: JSON.parse,
  },
  { what: 'a row of five columns', own: fiveColumns, yardstick: JSON.parse },
  { what: 'every value of it', own: (text) => [...leaves(read(text))].length, yardstick: JSON.parse },
  {
    what: 'read and written as a line',
    own: (text) => writeCompact(read(text)),
    yardstick: (text) => JSON.stringify(JSON.parse(text)),
  },
  {
    what: 'written, when every value was read',
    own: (text) => writeCompact(whole(text)),
    yardstick: (text) => JSON.stringify(plain(text)),
  },
  {
    what: 'bytes to text',
    own: (text) => decodeUtf8(bytes(text)),
    yardstick: (text) => bytes(text).toString('utf8'),
  },
];

function fiveColumns(text: string): unknown {
  const document = read(text);
  const { status, score } = classify(document);
  return [memberOf(document, 'wallet_address'), memberOf(document, 'total_collateral_usd'), status, score];
}

/** A sandbox's answer, with as many positions as it takes: through bytes, as a string that was put together is slower to read. */
function answer(length: number): string {
  const text = profileOf(address(7));
  const position = (i: number) =>
    `{"protocol":"Aave V3","chain":"Arbitrum","asset":"USD₮0 ${i}","amount_usd":${i * 1234.5678},"liquidation_threshold":0.85,` +
    `"is_collateral":true,"opened_at":"2025-06-01T12:00:${String(i % 60).padStart(2, '0')}Z","tags":["lending","stable"],"note":null}`;
  const count = Math.max(0, Math.round((length - text.length) / position(100).length));
  const positions = Array.from({ length: count }, (_, i) => position(i));
  const all = count === 0 ? text : `${text.slice(0, -1)},"positions":[${positions.join(',')}]}`;
  return Buffer.from(all).toString();
}

export function documentFigures(): readonly DocumentFigure[] {
  return WORKS.map((work) => ({ what: work.what, ratios: SIZES.map((size) => compare(work, answer(size))) }));
}

function compare({ own, yardstick }: Work, text: string): number {
  let mine = Number.POSITIVE_INFINITY;
  let json = Number.POSITIVE_INFINITY;
  for (let turn = 0; turn < TURNS; turn++) {
    json = Math.min(json, microseconds(yardstick, text));
    mine = Math.min(mine, microseconds(own, text));
  }
  return mine / json;
}

/** CPU time for `text` once, the collector's included. */
function microseconds(work: (text: string) => unknown, text: string): number {
  const count = Math.ceil(CHARACTERS_A_TURN / text.length);
  const before = process.cpuUsage();
  for (let i = 0; i < count; i++) work(text);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / count;
}
