/** A client of the service over real sockets, with a clock that does not wait and a gate that is always open. */
import type { Clock } from '../../../src/context.ts';
import { type Attempt, type Client, type ClientOptions, createClient } from '../../../src/service/client.ts';
import { createTransport, type TransportOptions } from '../../../src/service/http/transport.ts';
import type { Observation } from '../../../src/service/pacing/rate-limit.ts';

export const WALLET = '0x52908400098527886e0f7030069857d2e4169ee7';
export const KEY = 'wrp_canary-Qk3v9_xT7mZ2pL8';
export const PROFILE = { wallet_address: WALLET, total_collateral_usd: 1234.5, defi_score: { defi_score: 474 } };
/** The same for the wallet that a request's path ends with. */
export const profileOf = (path: string) => ({ ...PROFILE, wallet_address: path.slice(path.lastIndexOf('/') + 1) });

export interface Workbench extends AsyncDisposable {
  readonly client: Client;
  /** Every wait that was asked for, milliseconds, in order. */
  readonly waits: number[];
  readonly attempts: Attempt[];
  /** What the gate saw. */
  readonly gate: { readonly entered: ('first' | 'retry')[]; readonly observed: Observation[]; cancelled: number };
  readonly clock: Clock & { advance(ms: number): void };
}

/** Time stands still but for `sleep` and `advance`. */
export function stillClock(waits: number[] = []): Clock & { advance(ms: number): void } {
  let elapsed = 0;
  return {
    now: () => Date.UTC(2025, 0, 1) + elapsed,
    monotonic: () => elapsed,
    halted: () => 0,
    random: () => 0.5,
    sleep: async (ms, signal) => {
      signal?.throwIfAborted();
      waits.push(ms);
      elapsed += ms;
    },
    advance: (ms) => {
      elapsed += ms;
    },
  };
}

/** No name is looked up: nock, or a spy on sockets, is asked for it by name. */
const echo: TransportOptions['lookup'] = (name, _, callback) => callback(null, [{ address: name, family: 4 }]);

export function openClient(
  baseUrl: URL | string,
  options: Partial<ClientOptions> & { readonly transportOptions?: Partial<TransportOptions> } = {},
): Workbench {
  const waits: number[] = [];
  const attempts: Attempt[] = [];
  const clock = stillClock(waits);
  const gate: Workbench['gate'] = { entered: [], observed: [], cancelled: 0 };
  const client = createClient({
    baseUrl: new URL(baseUrl),
    key: KEY,
    auth: 'x-api-key',
    timeoutMs: 30_000,
    maxWaitMs: 60_000,
    clock,
    transport: createTransport({ origin: new URL(baseUrl).origin, clock, lookup: echo, ...options.transportOptions }),
    list: false,
    onAttempt: (attempt) => attempts.push(attempt),
    gate: {
      enter: async ({ retry = false, signal }) => {
        signal?.throwIfAborted();
        gate.entered.push(retry ? 'retry' : 'first');
        return {
          cancel: () => {
            gate.cancelled++;
          },
          sent: () => {},
          answered: (observation) => gate.observed.push(observation),
        };
      },
    },
    ...options,
  });
  return { client, waits, attempts, gate, clock, [Symbol.asyncDispose]: () => client.close() };
}
