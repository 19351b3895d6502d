/** Makes a client from the settings: combines the base URL, the key, the proxy, the pacing and the sandbox. */
import type { Context } from '../context.ts';
import { maxOpenFiles } from '../host/open-files.ts';
import { type Attempt, Client } from '../service/client.ts';
import { proxyFor } from '../service/http/proxy.ts';
import { Transport } from '../service/http/transport.ts';
import { Gate } from '../service/pacing/gate.ts';
import { MAX_IN_FLIGHT, Pacer, type PacerOptions } from '../service/pacing/pacer.ts';
import { once } from '../settings/once.ts';
import type { ResolvedRun } from '../settings/resolve.ts';
import { warnOfHiddenKey } from './hidden-key.ts';
import { type KeyState, openKeyState } from './key-state.ts';
import { createTrace } from './trace.ts';

export interface SessionOptions {
  /**
   * Resolves to the key that is sent; without it none is. Called when everything else that a session needs has been checked: a
   * vault may ask its user, and a pipe can be read only once.
   */
  readonly key?: () => Promise<string>;
  /** Whether many wallets are requested: several at once, with retries that do not multiply an outage. */
  readonly list?: boolean;
  readonly pacer?: PacerOptions;
  /** Called right before each profile request; may throw a LimitError to stop it. */
  readonly beforeSend?: () => void;
  readonly onAttempt?: (attempt: Attempt) => void;
}

export interface Session {
  readonly client: Client;
  readonly baseUrl: URL;
  readonly gate: Gate;
  /** Requests that may be in flight at once. */
  readonly maxInFlight: number;
  /** May be called twice. */
  close(): Promise<void>;
}

/** @throws UsageError when no base URL is known or a setting is wrong, KeyError when a key is needed and there is none */
export async function openSession({ settings, context }: ResolvedRun, options: SessionOptions): Promise<Session> {
  const judged = sessionSettings({ settings, context }, { isKeySent: options.key !== undefined });
  const sandbox = settings.isSandbox ? await openSandbox(context) : undefined;
  try {
    const key = options.key && (sandbox?.key ?? (await options.key()));
    const baseUrl = judged.baseUrl ?? new URL(sandbox?.baseUrl ?? '');
    const { origin } = baseUrl;
    const keyState = key === undefined || sandbox ? undefined : openKeyState(context, { key, origin });
    const maxInFlight = options.list ? mostInFlight(options.pacer, sandbox !== undefined) : 1;
    const pacer = new Pacer({ ...options.pacer, concurrency: maxInFlight, limit: keyState?.learned()?.limit });
    const gate = new Gate({ clock: context, pacer });
    let isRejected = false;
    const onAttempt = (attempt: Attempt) => {
      isRejected ||= attempt.status === 401;
      options.onAttempt?.(attempt);
    };
    const opened = { ...judged, baseUrl, key, keyState, gate, maxInFlight };
    const client = openClient(opened, { ...options, onAttempt }, context);
    const close = once(async () => {
      await client.close();
      keyState?.close();
      await sandbox?.close();
      if (isRejected && options.key === settings.resolveKey) warnOfHiddenKey({ settings, context });
    });
    return { client, baseUrl, gate, maxInFlight, close };
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
    timeoutMs: settings.get('timeout').value,
    // Without the key its settings are not used, so they are not checked.
    auth: isKeySent ? settings.get('auth').value : 'x-api-key',
    maxWaitMs: isKeySent ? settings.get('max-wait').value : 0,
    monthly: isKeySent && baseUrl ? settings.get('monthly-requests').value : undefined,
  } as const;
}

/** Files for node, the list, the journal, the output and code still to be loaded (node alone has 20 open). */
const RESERVED_FILES = 28;

/**
 * How many requests a list may have in flight: as many as this process may open sockets. Cron jobs and containers have low limits,
 * and a request without a file descriptor would fail. Node raises its soft limit to the hard one by itself.
 */
function mostInFlight({ concurrency = MAX_IN_FLIGHT }: PacerOptions = {}, isSandbox: boolean): number {
  // Both ends of a sandbox's connections are in this process.
  const filesEach = isSandbox ? 2 : 1;
  const sockets = Math.floor((maxOpenFiles() - RESERVED_FILES) / filesEach);
  return Math.max(1, Math.min(concurrency, MAX_IN_FLIGHT, sockets));
}

type OpenSession = ReturnType<typeof sessionSettings> &
  Pick<Session, 'gate' | 'maxInFlight' | 'baseUrl'> & {
    readonly key: string | undefined;
    /** Undefined without a key, and for that of a sandbox. */
    readonly keyState: KeyState | undefined;
  };

function openClient(
  { baseUrl, key, proxy, monthly, keyState, gate, maxInFlight, ...settings }: OpenSession,
  { list = false, beforeSend, onAttempt }: SessionOptions,
  context: Context,
): Client {
  const { origin } = baseUrl;
  const trace = context.report.isVerbose ? createTrace(context, { gate: list ? gate : undefined, key }) : undefined;
  return new Client({
    ...settings,
    baseUrl,
    key,
    gate,
    clock: context,
    transport: new Transport({ origin, clock: context, connections: maxInFlight, proxy }),
    list,
    beforeSend: () => {
      beforeSend?.();
      keyState?.reserve(monthly);
    },
    onAttempt: (attempt) => {
      keyState?.learn(attempt.rate);
      trace?.(attempt);
      onAttempt?.(attempt);
    },
  });
}

/** Starts a sandbox in this process. The warning that its data is synthetic is always printed, even with -q. */
async function openSandbox(context: Context) {
  const { startSandbox } = await import('../sandbox/server.ts');
  const sandbox = await startSandbox({ clock: context, plan: 'institution' });
  context.report.setContext({ url: sandbox.baseUrl });
  context.report.warn('sandbox: synthetic data, no request leaves this machine');
  return sandbox;
}
