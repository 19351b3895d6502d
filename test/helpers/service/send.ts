/** One GET by the transport alone, through the proxy that an environment names. */
import { RiskcliError } from '../../../src/errors.ts';
import { proxyFor } from '../../../src/service/http/proxy.ts';
import { createTransport, type Transport } from '../../../src/service/http/transport.ts';

/** What became of one GET: the status, or the error with its exit code. */
export interface Sent {
  readonly status?: number;
  readonly message?: string;
  readonly hint?: string;
  readonly code?: string;
  readonly exitCode?: number;
}

/** Sends one GET to `url` through the proxy that `env` names. */
export async function send(url: URL, env: Readonly<Record<string, string | undefined>>): Promise<Sent> {
  let transport: Transport | undefined;
  try {
    const clock = { monotonic: () => performance.now(), halted: () => 0 };
    transport = createTransport({ origin: url.origin, clock, proxy: proxyFor(url, env) });
    const { status } = await transport.send({ url, headers: { 'x-api-key': 'wrp_canary' }, timeoutMs: 5000 });
    return { status };
  } catch (error) {
    if (!(error instanceof RiskcliError)) throw error;
    const { message, hint, code, exitCode } = error;
    return { message, hint, code, exitCode };
  } finally {
    await transport?.close();
  }
}
