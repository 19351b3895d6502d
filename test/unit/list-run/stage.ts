/**
 * What a list runs against in tests: a service that answers when told to, an open gate, a clock
 * that stands still.
 */
import { setMaxListeners } from 'node:events';
import { onTestFinished } from 'vitest';
import type { ObjectNode } from '../../../src/document/node.ts';
import { parseDocument } from '../../../src/document/parse.ts';
import { IoError } from '../../../src/errors.ts';
import type { WalletResult } from '../../../src/journal/record.ts';
import { type ResultStore, TemporaryStore } from '../../../src/journal/store.ts';
import { createBudget } from '../../../src/list-run/budget.ts';
import { type RowsOptions, runRows } from '../../../src/list-run/run-rows.ts';
import type { Drain } from '../../../src/list-run/stop.ts';
import type { ListRecord } from '../../../src/lists/list.ts';
import { PathChecker } from '../../../src/paths/path-checker.ts';
import type { Row } from '../../../src/row/row.ts';
import type { Client, ProfileAnswer } from '../../../src/service/client.ts';
import { testHost } from '../../fixtures/cli/here.ts';
import { manualClock, turn } from '../../fixtures/manual-clock.ts';

/** More turns than any list of these tests takes. */
const MAX_TURNS = 100_000;

/** Resolves once `test` holds. */
export async function until(test: () => boolean): Promise<void> {
  for (let turns = 0; !test(); turns++) {
    if (turns === MAX_TURNS) throw new Error(`this never came true: ${test}`);
    await turn();
  }
}

export const documentOf = (wallet: string) =>
  `{"wallet_address":"${wallet}","total_collateral_usd":1.50,"defi_score":{"score":7}}`;

export function answerOf(wallet: string, text = documentOf(wallet)): ProfileAnswer {
  return { document: parseDocument(text) as ObjectNode, text, answeredAt: 1_700_000_000_000 };
}

type Reply = ProfileAnswer | Error | 'later' | 'waiting';

export interface StageOptions extends Partial<Omit<RowsOptions, 'client' | 'records'>> {
  /**
   * What the service says to a wallet; without it, its document at once. `later`: when `answer` or
   * `fail` is called; `waiting`: there is a wait before the next attempt.
   */
  readonly reply?: (wallet: string, nth: number) => Reply;
}

/** Starts a list and hands back everything one may want to look at or to pull. */
export function startList(
  records: AsyncIterable<readonly ListRecord[]>,
  { reply = (wallet) => answerOf(wallet), ...options }: StageOptions = {},
) {
  const clock = manualClock(1_700_000_000_000);
  const budget = createBudget();
  const store = options.store ?? temporaryStore();
  const controller = new AbortController();
  const asked: string[] = [];
  const rows: Row[] = [];
  const drains: Drain[] = [];
  const pending = new Map<
    string,
    { readonly answer: (answer: ProfileAnswer) => void; readonly fail: (error: Error) => void }
  >();

  const profile: Client['profile'] = async (wallet, { signal: flight, dispatch } = {}) => {
    budget.spend();
    asked.push(wallet);
    const said = reply(wallet, asked.length);
    if (said instanceof Error) throw said;
    if (said !== 'later' && said !== 'waiting') return said;
    const signal = said === 'waiting' ? dispatch : flight;
    if (signal) setMaxListeners(0, signal);
    return new Promise((answer, fail) => {
      pending.set(wallet, { answer, fail });
      signal?.addEventListener('abort', () => fail(signal.reason as Error));
    });
  };
  const done = runRows({
    records,
    store,
    budget,
    clock,
    client: { profile },
    gate: { enter: async () => ({ cancel() {}, sent() {}, answered() {} }) },
    maxInFlight: 1000,
    paths: new PathChecker([]),
    signal: controller.signal,
    onRow: (row) => {
      rows.push(row);
      return undefined;
    },
    onDrain: (drain) => drains.push(drain),
    ...options,
  });
  return {
    done,
    clock,
    budget,
    store,
    asked,
    rows,
    drains,
    abort: (reason: unknown) => controller.abort(reason),
    answer: (wallet: string) => pending.get(wallet)?.answer(answerOf(wallet)),
    fail: (wallet: string, error: Error) => pending.get(wallet)?.fail(error),
    statuses: () => rows.map(({ status }) => status),
  };
}

export const FULL = new IoError('the disk is full');

/** A store on a disk that is full for what `isFull` says. */
export function temporaryStore(isFull: (added: WalletResult, size: number) => boolean = () => false): ResultStore {
  class Store extends TemporaryStore {
    override append(id: string, added: WalletResult): void {
      if (isFull(added, this.size)) throw FULL;
      super.append(id, added);
    }
  }
  const store = new Store(testHost());
  onTestFinished(() => store.close());
  return store;
}
