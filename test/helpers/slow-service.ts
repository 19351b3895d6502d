/** A service that takes its time, as the real one does, and counts what it was asked: for runs that are cut short. */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface SlowService extends AsyncDisposable {
  readonly url: string;
  /** Requests so far, and how often each wallet was asked for. */
  requests(): number;
  readonly asked: ReadonlyMap<string, number>;
  /** Resolves when `count` requests have arrived. */
  reached(count: number): Promise<void>;
}

export interface SlowServiceOptions {
  /** How long the `nth` request (from 1) takes, milliseconds; for ever when undefined. */
  readonly latency?: (nth: number) => number | undefined;
  /** Status of the `nth` answer; 200 when undefined. */
  readonly status?: (nth: number) => number | undefined;
  /** Characters that pad each document. */
  readonly padding?: number;
}

export async function startSlowService(options: SlowServiceOptions = {}): Promise<SlowService> {
  const { latency = () => 0, status = () => undefined, padding = 0 } = options;
  const asked = new Map<string, number>();
  const waiting: { readonly count: number; readonly wake: () => void }[] = [];
  let total = 0;
  const server = createServer(({ url = '' }, response) => {
    total += 1;
    const nth = total;
    const wallet = url.slice(url.lastIndexOf('/') + 1);
    asked.set(wallet, (asked.get(wallet) ?? 0) + 1);
    for (const { wake } of waiting.filter(({ count }) => count <= total)) wake();
    const ms = latency(nth);
    if (ms !== undefined) setTimeout(() => answer(response, { wallet, status: status(nth) ?? 200, padding }), ms);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: () => total,
    asked,
    reached: (count) =>
      new Promise((wake) => {
        if (total >= count) wake();
        else waiting.push({ count, wake });
      }),
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

interface Answer {
  readonly wallet: string;
  readonly status: number;
  readonly padding: number;
}

function answer(response: ServerResponse, { wallet, status, padding }: Answer): void {
  const body = status === 200 ? documentOf(wallet, padding) : { error: 'no' };
  response.writeHead(status, { 'content-type': 'application/json', 'x-ratelimit-limit': '1000' });
  response.end(JSON.stringify(body));
}

const documentOf = (wallet: string, padding: number) => ({
  wallet_address: wallet,
  total_collateral_usd: 12.5,
  defi_score: { defi_score: 700 },
  ...(padding > 0 && { padding: 'x'.repeat(padding) }),
});
