/**
 * Makes a client from the settings: combines the base URL, the key, the proxy, the pacing and the
 * sandbox.
 */
import type { Context } from '../context.ts';
import { maxOpenFiles } from '../host/open-files.ts';
import { type Attempt, Client } from '../service/client.ts';
import { type Auth, HEADERS, keyHeader } from '../service/headers.ts';
import { type HttpProxy, proxyFor } from '../service/http/proxy.ts';
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

/** A client for one run, with the pacing of its requests. */
interface Session {
  readonly client: Client;
  readonly baseUrl: URL;
  readonly gate: Gate;
  /** Requests that may be in flight at once. */
  readonly maxInFlight: number;
  /** May be called twice. */
  readonly close: () => Promise<void>;
}

/**
 * @throws UsageError when no base URL is known or a setting is wrong, KeyError when a key is needed
 * and there is none
 */
export async function openSession(run: ResolvedRun, options: SessionOptions): Promise<Session> {
  const { context } = run;
  const settings = sessionSettings(run, options);
  if (settings.key?.monthly !== undefined) requireCounting(context);
  const sandbox = run.settings.isSandbox ? await openSandbox(context) : undefined;
  try {
    // A vault may ask its user, and a pipe can be read only once: so everything else has been
    // checked by now.
    const readKey = async () => sandbox?.key ?? (await (options.newKey ?? run.settings.resolveKey)());
    const key = settings.key && { ...settings.key, value: await readKey() };
    const baseUrl = settings.baseUrl ?? new URL(sandbox?.baseUrl ?? '');
    const keyState = key && !sandbox ? new KeyState(context, key.value, baseUrl.origin) : undefined;
    const maxInFlight = options.isList ? mostInFlight(options.pacer, sandbox !== undefined) : 1;
    const pacer = new Pacer({ ...options.pacer, concurrency: maxInFlight, limit: keyState?.lastLimit()?.limit });
    const gate = new Gate(pacer, context);
    const { proxy, timeoutMs } = settings;
    const parts = { baseUrl, proxy, timeoutMs, key, keyState, gate, maxInFlight };
    const { client, wasRejected } = openClient(parts, options, context);
    return {
      client,
      baseUrl,
      gate,
      maxInFlight,
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

interface SessionSettings {
  /** Undefined for a sandbox, whose port is known only when it has started. */
  readonly baseUrl: URL | undefined;
  readonly proxy: HttpProxy | undefined;
  readonly timeoutMs: number;
  /** The settings of the key; undefined, and so not checked, in a session that does not send it. */
  readonly key: KeySettings | undefined;
}

interface KeySettings {
  readonly auth: Auth;
  readonly maxWaitMs: number;
  /** The setting monthly-requests; never for a sandbox. */
  readonly monthly: number | undefined;
}

/**
 * The settings of a session, to check them before it is opened. @throws UsageError for one that is
 * wrong
 */
export function sessionSettings(
  { settings, context }: ResolvedRun,
  { sendsKey }: Pick<SessionOptions, 'sendsKey'>,
): SessionSettings {
  const baseUrl = settings.isSandbox ? undefined : settings.baseUrl().value;
  return {
    baseUrl,
    proxy: baseUrl && proxyFor(baseUrl, context.env),
    timeoutMs: settings.get('timeout').value,
    key: sendsKey
      ? {
          auth: settings.get('auth').value,
          maxWaitMs: settings.get('max-wait').value,
          monthly: baseUrl && settings.get('monthly-requests').value,
        }
      : undefined,
  };
}

/**
 * Files for node, the list, the journal, the output and code still to be loaded (node alone has 20
 * open).
 */
const RESERVED_FILES = 28;

/**
 * How many requests a list may have in flight: one for each socket that it may open. Cron jobs
 * and containers have low limits, and a request without a file descriptor would fail. Node raises
 * its soft limit to the hard one by itself.
 */
function mostInFlight({ concurrency = MAX_IN_FLIGHT }: PacerOptions = {}, isSandbox: boolean): number {
  // Both ends of a sandbox's connections are in this process.
  const filesEach = isSandbox ? 2 : 1;
  const sockets = Math.floor((maxOpenFiles() - RESERVED_FILES) / filesEach);
  return Math.max(1, Math.min(concurrency, MAX_IN_FLIGHT, sockets));
}

interface ClientParts {
  readonly baseUrl: URL;
  readonly proxy: HttpProxy | undefined;
  readonly timeoutMs: number;
  readonly key: (KeySettings & { readonly value: string }) | undefined;
  /** Undefined without a key, and for that of a sandbox. */
  readonly keyState: KeyState | undefined;
  readonly gate: Gate;
  readonly maxInFlight: number;
}

/** A client that remembers what answers say of its key, and whether one rejected it. */
function openClient(
  { baseUrl, proxy, timeoutMs, key, keyState, gate, maxInFlight }: ClientParts,
  { isList = false, beforeSend, onAttempt }: SessionOptions,
  context: Context,
) {
  const { origin } = baseUrl;
  const trace = context.report.isVerbose
    ? createTrace(context, { gate: isList ? gate : undefined, key: key?.value })
    : undefined;
  let wasRejected = false;
  const client = new Client({
    baseUrl,
    key: key?.value,
    headers: { health: HEADERS, profile: { ...HEADERS, ...(key && keyHeader(key.auth, key.value)) } },
    timeoutMs,
    // Without a key there are no profile requests, which alone wait for rate limits.
    maxWaitMs: key?.maxWaitMs ?? 0,
    gate,
    clock: context,
    transport: new Transport({ origin, clock: context, connections: maxInFlight, proxy }),
    isList,
    beforeSend: () => {
      beforeSend?.();
      keyState?.reserve(key?.monthly);
    },
    onAttempt: (attempt) => {
      wasRejected ||= attempt.status === 401;
      keyState?.rememberLimit(attempt.rateLimit);
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
