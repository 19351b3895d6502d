/** Makes a client from the settings: combines the base URL, the key, the proxy and the sandbox. */

import type { PeerCertificate } from 'node:tls';
import type { Context } from '../context.ts';
import { softLimit } from '../host/soft-limit.ts';
import { type Attempt, type Client, createClient } from '../service/client.ts';
import type { OpenHttpClient } from '../service/http/http-client.ts';
import { openNodeClient } from '../service/http/node-client.ts';
import { proxyFor } from '../service/http/proxy.ts';
import { createTransport } from '../service/http/transport.ts';
import { Gate } from '../service/pacing/gate.ts';
import { MAX_IN_FLIGHT, Pacer, type PacerOptions } from '../service/pacing/pacer.ts';
import { once } from '../settings/once.ts';
import type { ResolvedRun } from '../settings/resolve.ts';
import type { SentKey } from './sent-key.ts';
import { createTrace } from './trace.ts';

export interface SessionOptions {
  /** The key that is sent, made by `sentKey`; without it none is. */
  readonly key?: SentKey;
  /** A list: many requests at once, with retries that do not multiply an outage. */
  readonly list?: boolean;
  readonly pacer?: PacerOptions;
  /** Called right before each profile request; may throw a LimitError to stop it. */
  readonly beforeSend?: () => void;
  readonly onAttempt?: (attempt: Attempt) => void;
  /** Called with the service's certificate for each connection over TLS. */
  readonly onCertificate?: (certificate: PeerCertificate) => void;
}

export interface Session {
  readonly client: Client;
  readonly gate: Gate;
  readonly baseUrl: URL;
  /** Requests that may be in flight at once. */
  readonly maxInFlight: number;
  /** May be called twice. */
  close(): Promise<void>;
}

/**
 * @throws UsageError when no base URL is known or a setting is wrong, KeyError when a key is needed and there is none
 */
export async function openSession({ settings, context }: ResolvedRun, options: SessionOptions): Promise<Session> {
  const judged = sessionSettings({ settings, context }, { isKeySent: options.key !== undefined });
  const sandbox = settings.isSandbox ? await openSandbox(context) : undefined;
  try {
    const openHttpClient = options.list
      ? (await import('../service/http/undici-pool.ts')).openUndiciPool
      : openNodeClient;
    const key = options.key && (sandbox?.key ?? (await options.key.resolve()));
    return assemble({ ...judged, key, sandbox, openHttpClient }, options, context);
  } catch (error) {
    await sandbox?.close();
    throw error;
  }
}

/** The settings of a session, to check them before it is opened. @throws UsageError for one that is wrong */
export function sessionSettings({ settings, context }: ResolvedRun, { isKeySent }: { readonly isKeySent: boolean }) {
  const baseUrl = settings.isSandbox ? undefined : settings.baseUrl().value;
  return {
    baseUrl,
    proxy: baseUrl && proxyFor(baseUrl, context.env),
    timeoutMs: settings.timeoutMs.value,
    // Without the key its settings are not used, so they are not checked.
    auth: isKeySent ? settings.auth.value : 'x-api-key',
    maxWaitMs: isKeySent ? settings.maxWaitMs.value : 0,
    monthly: isKeySent && baseUrl ? settings.monthlyRequests.value : undefined,
  } as const;
}

type Assembled = ReturnType<typeof sessionSettings> & {
  readonly key: string | undefined;
  readonly sandbox: Awaited<ReturnType<typeof openSandbox>> | undefined;
  readonly openHttpClient: OpenHttpClient;
};

function assemble(
  { sandbox, baseUrl = new URL(sandbox?.baseUrl ?? ''), key, proxy, monthly, openHttpClient, ...settings }: Assembled,
  options: SessionOptions,
  context: Context,
): Session {
  const { list = false, beforeSend, onAttempt, onCertificate } = options;
  const { origin } = baseUrl;
  const learning = key === undefined || sandbox ? undefined : options.key?.openLearning(context, { key, origin });
  // Only for a list: one request is under every limit.
  const limit = list ? learning?.limit() : undefined;
  const sockets = list ? socketsAllowed(sandbox ? 2 : 1) : 1;
  const { gate, maxInFlight } = createGate(options, { sockets, limit, context });
  const trace = context.report.isVerbose ? createTrace(context, { gate: list ? gate : undefined, key }) : undefined;
  const connections = maxInFlight;
  const transport = createTransport({ origin, clock: context, openHttpClient, connections, proxy, onCertificate });
  const client = createClient({
    ...settings,
    baseUrl,
    key,
    gate,
    clock: context,
    transport,
    list,
    beforeSend: () => {
      beforeSend?.();
      learning?.reserve(monthly);
    },
    onAttempt: (attempt) => {
      learning?.note(attempt);
      trace?.(attempt);
      onAttempt?.(attempt);
    },
  });
  const close = once(async () => {
    await client.close();
    learning?.close();
    await sandbox?.close();
  });
  return { client, gate, baseUrl, maxInFlight, close };
}

function createGate(
  { list, pacer: options }: SessionOptions,
  {
    sockets,
    limit,
    context,
  }: { readonly sockets: number; readonly limit: number | undefined; readonly context: Context },
) {
  const maxInFlight = Math.min(options?.concurrency ?? sockets, sockets);
  const pacer = new Pacer({ ...options, concurrency: maxInFlight, limit });
  return { gate: new Gate({ clock: context, pacer, ...(list && { isBusy: context.isBusy }) }), maxInFlight };
}

/** Files for node, the list, the journal, the output and code still to be loaded (node alone has 20 open). */
const RESERVED_FILES = 28;

/**
 * How many sockets this process may open. Cron jobs and containers have low limits, and a request without a file descriptor would
 * fail: so fewer are in flight. Node raises its soft limit to the hard one by itself.
 * @param filesEach open files of a connection: two if both of its ends are in this process
 */
function socketsAllowed(filesEach: number): number {
  const free = softLimit('Max open files') - RESERVED_FILES;
  return Math.max(1, Math.min(MAX_IN_FLIGHT, Math.floor(free / filesEach)));
}

/** Starts a sandbox in this process. The warning that its data is synthetic is always printed, even with -q. */
async function openSandbox(context: Context) {
  const { startSandbox } = await import('../sandbox/server.ts');
  const sandbox = await startSandbox({ clock: context, plan: 'institution' });
  context.report.setContext({ url: sandbox.baseUrl });
  context.report.warn('sandbox: synthetic data, no request leaves this machine');
  return { baseUrl: sandbox.baseUrl, key: sandbox.keys.working, close: () => sandbox.close() };
}
