import { describe, expect, it } from 'vitest';
import { type Node, NULL, type ScalarNode } from '../../../src/document/node.ts';
import { writeCompact } from '../../../src/document/write.ts';
import { compareDecimals, decimalOf, parseDecimal, subtractDecimals } from '../../../src/row/decimal.ts';
import { compareRuns } from '../../../src/runs/compare.ts';
import { type DiffRow, defaultColumns, isSame } from '../../../src/runs/comparison.ts';
import type { ResultRow } from '../../../src/runs/result.ts';
import { Snapshot } from '../../../src/runs/snapshot.ts';
import { testHost } from '../../fixtures/cli/here.ts';
import { address } from '../../fixtures/place/wallets.ts';
import { fc, tries } from '../../fixtures/properties.ts';

const score = fc.oneof(
  fc.integer({ min: -20, max: 20 }).map(String),
  fc.constantFrom('1.0', '1.00', '-0', '9007199254740993', '9007199254740992.5', '1e400', '0.1', '1e-3', '2E2'),
);
const scalar: fc.Arbitrary<ScalarNode | undefined> = fc.oneof(
  score.map((spelling): ScalarNode => ({ kind: 'number', spelling })),
  fc.oneof(score, fc.constantFrom('', 'high', 'a\nb', ' ')).map((value): ScalarNode => ({ kind: 'string', value })),
  fc.constantFrom<ScalarNode>({ kind: 'literal', value: null }, { kind: 'literal', value: true }),
  fc.constant(undefined),
);

const result = fc.record({
  number: fc.integer({ min: 0, max: 12 }),
  isUpper: fc.boolean(),
  status: fc.constantFrom('scored', 'no_score', 'failed', undefined),
  score: scalar,
  collateral: scalar,
});

/** A run that has each wallet at most once. */
const run = fc.uniqueArray(result, { selector: ({ number }) => number, maxLength: 12 }).map((rows) =>
  rows.map(({ number, isUpper, status, score, collateral }, i): ResultRow => {
    const id = address(0xabc00 + number);
    const wallet = { ok: true, address: isUpper ? id.replaceAll('abc', 'ABC') : id, id } as const;
    return {
      line: i + 1,
      wallet,
      ...(status && { status }),
      ...(score && { score }),
      ...(collateral && { collateral }),
      matched: [],
      unjudged: [],
      excused: [],
      node: () => ({ kind: 'object', members: [] }),
      input: () => undefined,
    };
  }),
);

const columns = defaultColumns([]);

function snapshot(rows: readonly ResultRow[]): Snapshot {
  const taken = new Snapshot({ columns, host: testHost() });
  for (const row of rows) taken.add(row);
  return taken;
}

async function diff(older: readonly ResultRow[], newer: readonly ResultRow[]) {
  const [before, current] = [snapshot(older), snapshot(newer)];
  try {
    const { rows, counts } = compareRuns(before, current, new AbortController().signal);
    const found: DiffRow[] = [];
    for await (const row of rows) found.push(row);
    return { rows: found, counts };
  } finally {
    before.close();
    current.close();
  }
}

const id = ({ wallet }: DiffRow) => wallet.toLowerCase();
const text = (node: Node | undefined) => (node ? writeCompact(node) : 'null');
const values = (row: ResultRow) => columns.map(({ valueIn }) => text(valueIn(row)));
const byWallet = (rows: readonly ResultRow[]) => new Map(rows.map((row) => [row.wallet?.id ?? '', values(row)]));

/** Each run makes two files and a megabyte of places. */
const RUNS = { numRuns: tries(15) };

describe('two runs', () => {
  it('do not differ from themselves, in any order and case', async () => {
    await fc.assert(
      fc.asyncProperty(run, fc.nat({ max: 12 }), async (rows, from) => {
        const moved = [...rows.slice(from), ...rows.slice(0, from)].toReversed();
        const { rows: found, counts } = await diff(rows, moved);
        expect([found, counts.same]).toEqual([[], rows.length]);
      }),
      RUNS,
    );
  });

  it('differ symmetrically, with opposite signs', async () => {
    const mirrored = { added: 'removed', removed: 'added', changed: 'changed' };
    const negated = (delta: Node) => {
      const [zero, value] = [parseDecimal('0'), decimalOf(delta)];
      return zero && value ? subtractDecimals(zero, value) : undefined;
    };
    await fc.assert(
      fc.asyncProperty(run, run, async (one, other) => {
        const there = await diff(one, other);
        const back = await diff(other, one);
        const plain = (rows: readonly DiffRow[], isBack: boolean) =>
          rows
            .map((row) => [
              id(row),
              isBack ? mirrored[row.change] : row.change,
              row.differences.map(({ old, new: current, delta }) => [
                text(isBack ? current : old),
                text(isBack ? old : current),
                isBack ? negated(delta) : negated(delta) && (delta as { spelling: string }).spelling,
              ]),
            ])
            .sort();
        expect(plain(back.rows, true)).toEqual(plain(there.rows, false));
      }),
      RUNS,
    );
  });

  it('can be reconstructed from the other and their difference', async () => {
    await fc.assert(
      fc.asyncProperty(run, run, async (older, newer) => {
        const made = byWallet(older);
        const { rows, counts } = await diff(older, newer);
        for (const row of rows) {
          if (row.change === 'removed') made.delete(id(row));
          else
            made.set(
              id(row),
              row.differences.map((found) => text(found.new)),
            );
        }
        const wanted = byWallet(newer);
        expect([...made.keys()].sort()).toEqual([...wanted.keys()].sort());
        for (const [wallet, found] of made) {
          const other = wanted.get(wallet) ?? [];
          // Equal values may be spelled differently.
          for (const [i, value] of found.entries()) {
            if (value !== other[i]) expect(areEqual(value, other[i] ?? '')).toBe(true);
          }
        }
        expect(counts.added + counts.changed + counts.same).toBe(newer.length);
        expect(counts.removed + counts.changed + counts.same).toBe(older.length);
      }),
      RUNS,
    );
  });

  const rowOf = (number: number, score: string): ResultRow => ({
    line: number,
    wallet: { ok: true, address: address(number), id: address(number) },
    status: 'scored',
    score: { kind: 'number', spelling: score },
    matched: [],
    unjudged: [],
    excused: [],
    node: () => ({ kind: 'object', members: [] }),
    input: () => undefined,
  });

  it('count rows without a wallet, and wallets with contradictory rows', () => {
    const { wallet: _, ...stray } = rowOf(9, '1');
    const run = snapshot([rowOf(1, '1'), stray, rowOf(1, '1'), rowOf(2, '1'), rowOf(2, '2'), stray]);
    expect([run.size, run.withoutWallet, run.duplicates]).toEqual([2, 2, 1]);
    run.close();
  });

  it('have labels only if there are any', async () => {
    const { rows } = await diff([rowOf(1, '1')], [rowOf(1, '2')]);
    expect(rows.map((row) => Object.keys(row))).toEqual([['wallet', 'change', 'differences']]);
  });

  it('stop on a signal', async () => {
    const [none, run] = [snapshot([]), snapshot(Array.from({ length: 5_000 }, (_, i) => rowOf(i, '1')))];
    const { rows } = compareRuns(none, run, AbortSignal.abort(new Error('enough')));
    const found: DiffRow[] = [];
    const all = (async () => {
      for await (const row of rows) found.push(row);
    })();
    await expect(all).rejects.toThrow('enough');
    expect(found).toHaveLength(4_999);
    none.close();
    run.close();
  });

  it('have exact deltas', async () => {
    await fc.assert(
      fc.asyncProperty(run, run, async (older, newer) => {
        for (const row of (await diff(older, newer)).rows) {
          for (const { old, new: current, delta } of row.differences) {
            const [before, after, by] = [old, current, delta].map(decimalOf);
            if (!by || !before || !after) expect(delta).toEqual({ kind: 'literal', value: null });
            else expect(Math.sign(compareDecimals(after, before))).toBe(Math.sign(by.double));
          }
        }
      }),
      RUNS,
    );
  });
});

it.each([
  ['high', ' high', true],
  ['high ', 'high', true],
  ['high', 'higher', false],
])('%j and %j are the same: %s', (one, other, expected) => {
  const [old, current] = [one, other].map((value): Node => ({ kind: 'string', value })) as [Node, Node];
  for (const pair of [
    { old, new: current },
    { old: current, new: old },
  ]) {
    expect(isSame({ ...pair, delta: NULL })).toBe(expected);
  }
});

/** Whether two spellings of JSON are of values that count as the same. */
function areEqual(one: string, other: string): boolean {
  const node = (spelling: string): Node => {
    const value: unknown = spelling.startsWith('"') ? JSON.parse(spelling) : undefined;
    if (typeof value === 'string') return { kind: 'string', value };
    if (['null', 'true'].includes(spelling)) return { kind: 'literal', value: spelling === 'true' ? true : null };
    return { kind: 'number', spelling };
  };
  return isSame({ old: node(one), new: node(other), delta: node('null') });
}
