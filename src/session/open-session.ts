/** Makes a client from the settings: combines the base URL, the key, the proxy and the sandbox. */

import type { PeerCertificate } from 'node:tls';
import type { Context } from '../context.ts';
import { type Attempt, type Client, createClient } from '../service/client.ts';
import type { OpenHttpClient } from '../service/http/http-client.ts';
import { openNodeClient } from '../service/http/node-client.ts';
import { proxyFor } from '../service/http/proxy.ts';
import { createTransport } from '../service/http/transport.ts';
import { FirstGate } from '../service/pacing/first-gate.ts';
import type { Gate } from '../service/pacing/gate.ts';
import type { PacerOptions } from '../service/pacing/pacer.ts';
import { once } from '../settings/once.ts';
import type { ResolvedRun } from '../settings/resolve.ts';
import type { SentKey } from './sent-key.ts';
import type { createTrace } from './trace.ts';

export interface SessionOptions {
  /** The key that is sent, made by `sentKey`; without it none is. */
  readonly key?: SentKey;
  readonly pacer?: PacerOptions;
  /** Called right before each profile request; may throw a LimitError to stop it. */
  readonly beforeSend?: () => void;
  readonly onAttempt?: (attempt: Attempt) => void;
  /** Called with the service's certificate for each connection over TLS. */
  readonly onCertificate?: (certificate: PeerCertificate) => void;
}

export interface Session {
  readonly client: Client;
  readonly baseUrl: URL;
  /** May be called twice. */
  close(): Promise<void>;
}

/** What differs between a list and one wallet. */
interface Mode {
  /** Many requests at once, with retries that do not multiply an outage. */
  readonly list: boolean;
  readonly gate: Pick<Gate, 'enter'> & Partial<Pick<Gate, 'state'>>;
  /** Requests that may be in flight at once. */
  readonly maxInFlight: number;
  readonly openHttpClient: OpenHttpClient;
}

interface Known {
  /** What is known of the key; undefined without one, and for the sandbox. */
  readonly learned: ReturnType<SentKey['openLearning']> | undefined;
  readonly isSandbox: boolean;
}

/**
 * For one wallet or a health check.
 * @throws UsageError when no base URL is known or a setting is wrong, KeyError when a key is needed and there is none
 */
export const openSession = (run: ResolvedRun, options: SessionOptions): Promise<Session> =>
  openSessionWith(run, options, () => {
    const pacing = { ...options.pacer, concurrency: 1 };
    const gate = new FirstGate({ clock: run.context, pacing });
    return { list: false, gate, maxInFlight: 1, openHttpClient: openNodeClient };
  });

/** @throws as openSession */
export async function openSessionWith<T extends Mode>(
  { settings, context }: ResolvedRun,
  options: SessionOptions,
  chooseMode: (known: Known) => T,
): Promise<Session & T> {
  const judged = sessionSettings({ settings, context }, { isKeySent: options.key !== undefined });
  const sandbox = settings.isSandbox ? await openSandbox(context) : undefined;
  try {
    const key = options.key && (sandbox?.key ?? (await options.key.resolve()));
    const baseUrl = judged.baseUrl ?? new URL(sandbox?.baseUrl ?? '');
    const { origin } = baseUrl;
    const learned = key === undefined || sandbox ? undefined : options.key?.openLearning(context, { key, origin });
    const mode = chooseMode({ learned, isSandbox: sandbox !== undefined });
    const trace = context.report.isVerbose ? await openTrace(context, { gate: mode.gate, key }) : undefined;
    const session = assemble({ ...judged, baseUrl, key, learned, trace }, mode, options, context);
    const close = once(async () => {
      await session.client.close();
      learned?.close();
      await sandbox?.close();
    });
    return { ...mode, ...session, close };
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

/** Loads the lines of -v. */
async function openTrace(...about: Parameters<typeof createTrace>): Promise<ReturnType<typeof createTrace>> {
  const { createTrace } = await import('./trace.ts');
  return createTrace(...about);
}

type Assembled = ReturnType<typeof sessionSettings> &
  Pick<Known, 'learned'> & {
    readonly baseUrl: URL;
    readonly key: string | undefined;
    readonly trace: ReturnType<typeof createTrace> | undefined;
  };

function assemble(
  { baseUrl, key, proxy, monthly, learned, trace, ...settings }: Assembled,
  { list, gate, maxInFlight, openHttpClient }: Mode,
  { beforeSend, onAttempt, onCertificate }: SessionOptions,
  context: Context,
) {
  const { origin } = baseUrl;
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
      learned?.reserve(monthly);
    },
    onAttempt: (attempt) => {
      learned?.note(attempt);
      trace?.(attempt);
      onAttempt?.(attempt);
    },
  });
  return { client, baseUrl };
}

/** Starts a sandbox in this process. The warning that its data is synthetic is always printed, even with -q. */
async function openSandbox(context: Context) {
  const { startSandbox } = await import('../sandbox/server.ts');
  const sandbox = await startSandbox({ clock: context, plan: 'institution' });
  context.report.setContext({ url: sandbox.baseUrl });
  context.report.warn('sandbox: synthetic data, no request leaves this machine');
  return { baseUrl: sandbox.baseUrl, key: sandbox.keys.working, close: () => sandbox.close() };
}
