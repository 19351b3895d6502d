/**
 * Makes a client from the settings: combines the base URL, the key, the proxy, the pacing and the
 * sandbox.
 */
import type { Context } from '../context.ts';
import { maxOpenFiles } from '../host/open-files.ts';
import { type Attempt, Client } from '../service/client.ts';
import { HEADERS, keyHeader } from '../service/headers.ts';
import { proxyFor } from '../service/http/proxy.ts';
import { Transport } from '../service/http/transport.ts';
import { Gate } from '../service/pacing/gate.ts';
import { MAX_IN_FLIGHT, Pacer, type PacerOptions } from '../service/pacing/pacer.ts';
import type { ResolvedRun } from '../settings/resolve.ts';
import { once } from '../text/once.ts';
import { warnOfHiddenKey } from './hidden-key.ts';
import { KeyState } from './key-state.ts';
import { requireCounting } from './request-count.ts';
import { createTrace } from './trace.ts';

interface SessionOptions {
  /**
   * Whether the key is sent, and so needed. It is that of the settings, unless there is a `newKey`.
   */
  readonly sendsKey: boolean;
  /** Resolves to a key that is tried before it is stored. */
  readonly newKey?: (() => Promise<string>) | undefined;
  /**
   * Whether many wallets are requested: several at once, with retries that do not multiply an
   * outage.
   */
  readonly isList?: boolean;
  readonly pacer?: PacerOptions;
  /** Called right before each profile request; may throw a LimitError to stop it. */
  readonly beforeSend?: () => void;
  readonly onAttempt?: (attempt: Attempt) => void;
}

/**
 * @throws UsageError when no base URL is known or a setting is wrong, KeyError when a key is needed
 * and there is none
 */
export async function openSession(run: ResolvedRun, options: SessionOptions) {
  const { settings, context } = run;
  const judged = sessionSettings(run, options);
  if (judged.monthly !== undefined) requireCounting(context);
  const sandbox = settings.isSandbox ? await openSandbox(context) : undefined;
  try {
    // A vault may ask its user, and a pipe can be read only once: so everything else has been
    // checked by now.
    const readKey = async () => sandbox?.key ?? (await (options.newKey ?? settings.resolveKey)());
    const key = options.sendsKey ? await readKey() : undefined;
    const baseUrl = judged.baseUrl ?? new URL(sandbox?.baseUrl ?? '');
    const keyState = key === undefined || sandbox ? undefined : new KeyState(context, key, baseUrl.origin);
    const maxInFlight = options.isList ? mostInFlight(options.pacer, sandbox !== undefined) : 1;
    const pacer = new Pacer({ ...options.pacer, concurrency: maxInFlight, limit: keyState?.learned()?.limit });
    const gate = new Gate(pacer, context);
    const opened = { ...judged, baseUrl, key, keyState, gate, maxInFlight };
    const { client, wasRejected } = openClient(opened, options, context);
    return {
      client,
      baseUrl,
      gate,
      /** Requests that may be in flight at once. */
      maxInFlight,
      /** May be called twice. */
      close: once(async () => {
        await client.close();
        keyState?.close();
        await sandbox?.close();
        if (wasRejected() && !options.newKey) warnOfHiddenKey(run);
      }),
    };
  } catch (error) {
    await sandbox?.close();
    throw error;
  }
}

/**
 * The settings of a session, to check them before it is opened. @throws UsageError for one that is
 * wrong
 */
export function sessionSettings({ settings, context }: ResolvedRun, { sendsKey }: Pick<SessionOptions, 'sendsKey'>) {
  const baseUrl = settings.isSandbox ? undefined : settings.baseUrl().value;
  return {
    baseUrl,
    proxy: baseUrl && proxyFor(baseUrl, context.env),
    timeoutMs: settings.get('timeout').value,
    // Without the key its settings are not used, so they are not checked.
    auth: sendsKey ? settings.get('auth').value : 'x-api-key',
    maxWaitMs: sendsKey ? settings.get('max-wait').value : 0,
    monthly: sendsKey && baseUrl ? settings.get('monthly-requests').value : undefined,
  } as const;
}

/**
 * Files for node, the list, the journal, the output and code still to be loaded (node alone has 20
 * open).
 */
const RESERVED_FILES = 28;

/**
 * How many requests a list may have in flight: as many as this process may open sockets. Cron jobs
 * and containers have low limits, and a request without a file descriptor would fail. Node raises
 * its soft limit to the hard one by itself.
 */
function mostInFlight({ concurrency = MAX_IN_FLIGHT }: PacerOptions = {}, isSandbox: boolean): number {
  // Both ends of a sandbox's connections are in this process.
  const filesEach = isSandbox ? 2 : 1;
  const sockets = Math.floor((maxOpenFiles() - RESERVED_FILES) / filesEach);
  return Math.max(1, Math.min(concurrency, MAX_IN_FLIGHT, sockets));
}

interface ClientParts extends ReturnType<typeof sessionSettings> {
  readonly baseUrl: URL;
  readonly gate: Gate;
  readonly maxInFlight: number;
  readonly key: string | undefined;
  /** Undefined without a key, and for that of a sandbox. */
  readonly keyState: KeyState | undefined;
}

/** A client that remembers what answers say of its key, and whether one rejected it. */
function openClient(
  { baseUrl, key, auth, proxy, monthly, keyState, gate, maxInFlight, ...settings }: ClientParts,
  { isList = false, beforeSend, onAttempt }: SessionOptions,
  context: Context,
) {
  const { origin } = baseUrl;
  const trace = context.report.isVerbose ? createTrace(context, { gate: isList ? gate : undefined, key }) : undefined;
  let wasRejected = false;
  const client = new Client({
    ...settings,
    baseUrl,
    key,
    headers: { health: HEADERS, profile: { ...HEADERS, ...(key !== undefined && keyHeader(auth, key)) } },
    gate,
    clock: context,
    transport: new Transport({ origin, clock: context, connections: maxInFlight, proxy }),
    isList,
    beforeSend: () => {
      beforeSend?.();
      keyState?.reserve(monthly);
    },
    onAttempt: (attempt) => {
      wasRejected ||= attempt.status === 401;
      keyState?.learn(attempt.rateLimit);
      trace?.(attempt);
      onAttempt?.(attempt);
    },
  });
  return { client, wasRejected: () => wasRejected };
}

/**
 * Starts a sandbox in this process. The warning that its data is synthetic is always printed, even
 * with -q.
 */
async function openSandbox(context: Context) {
  const { startSandbox } = await import('../sandbox/server.ts');
  const sandbox = await startSandbox({ clock: context, plan: 'institution' });
  context.report.setContext({ url: sandbox.baseUrl });
  context.report.warn('sandbox: synthetic data, no request leaves this machine');
  return sandbox;
}
