/** A service that takes its time, as the real one does, and counts what it was asked: for runs that are cut short. */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface SlowService extends AsyncDisposable {
  readonly url: string;
  /** Requests so far, and how often each wallet was asked for. */
  requests(): number;
  readonly asked: ReadonlyMap<string, number>;
  /** How often each wallet was answered with a profile: what is paid for. */
  readonly answered: ReadonlyMap<string, number>;
  /** Resolves when `count` requests have arrived. */
  reached(count: number): Promise<void>;
}

export interface SlowServiceOptions {
  /** How long the `nth` request (from 1) takes, milliseconds; for ever when undefined. */
  readonly latency?: (nth: number) => number | undefined;
  /** What has to happen before the time of the `nth` request begins. */
  readonly after?: (nth: number) => Promise<void> | undefined;
  /** Status of the `nth` answer; 200 when undefined. */
  readonly status?: (nth: number) => number | undefined;
  /** Headers of the `nth` answer, besides the limit. */
  readonly headers?: (nth: number) => Readonly<Record<string, string>>;
  /** Characters that pad each document, or the `nth`. */
  readonly padding?: number | ((nth: number) => number);
}

export async function startSlowService(options: SlowServiceOptions = {}): Promise<SlowService> {
  const { latency = () => 0, status = () => undefined, headers = () => ({}), padding = 0 } = options;
  const asked = new Map<string, number>();
  const answered = new Map<string, number>();
  const waiting: { readonly count: number; readonly wake: () => void }[] = [];
  let total = 0;
  const server = createServer(({ url = '' }, response) => {
    total += 1;
    const nth = total;
    const wallet = url.slice(url.lastIndexOf('/') + 1);
    asked.set(wallet, (asked.get(wallet) ?? 0) + 1);
    for (const { wake } of waiting.filter(({ count }) => count <= total)) wake();
    const ms = latency(nth);
    if (ms === undefined) return;
    // What the service does is decided when it is asked, and said later.
    const said = {
      wallet,
      status: status(nth) ?? 200,
      headers: headers(nth),
      padding: typeof padding === 'number' ? padding : padding(nth),
    };
    const say = () => {
      if (said.status === 200) answered.set(wallet, (answered.get(wallet) ?? 0) + 1);
      answer(response, said);
    };
    const begin = () => setTimeout(say, ms);
    const first = options.after?.(nth);
    if (first) void first.then(begin);
    else begin();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: () => total,
    asked,
    answered,
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

/** Answers the first `quick` requests at once, and the others when `release` is called: there is time to do something to a run. */
export async function startHeldService(quick: number, options: SlowServiceOptions = {}) {
  let release = () => {};
  const isReleased = new Promise<void>((resolve) => {
    release = resolve;
  });
  const service = await startSlowService({ ...options, after: (nth) => (nth > quick ? isReleased : undefined) });
  return Object.assign(service, { release });
}

interface Answer {
  readonly wallet: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly padding: number;
}

function answer(response: ServerResponse, { wallet, status, headers, padding }: Answer): void {
  const body = status === 200 ? documentOf(wallet, padding) : { error: 'no' };
  response.writeHead(status, { 'content-type': 'application/json', 'x-ratelimit-limit': '1000', ...headers });
  response.end(JSON.stringify(body));
}

const documentOf = (wallet: string, padding: number) => ({
  wallet_address: wallet,
  total_collateral_usd: 12.5,
  defi_score: { defi_score: 700 },
  ...(padding > 0 && { padding: 'x'.repeat(padding) }),
});
