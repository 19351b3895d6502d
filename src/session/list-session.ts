/** A session for a list: many requests at once, paced, over kept connections. */
import type { Context } from '../context.ts';
import { softLimit } from '../host/soft-limit.ts';
import { openUndiciPool } from '../service/http/undici-pool.ts';
import { Gate } from '../service/pacing/gate.ts';
import { MAX_IN_FLIGHT, Pacer, type PacerOptions } from '../service/pacing/pacer.ts';
import type { ResolvedRun } from '../settings/resolve.ts';
import { openSessionWith, type Session, type SessionOptions } from './open-session.ts';

export interface ListSession extends Session {
  readonly gate: Gate;
  /** Requests that may be in flight at once. */
  readonly maxInFlight: number;
}

/** @throws as openSession */
export function openListSession(run: ResolvedRun, options: SessionOptions): Promise<ListSession> {
  return openSessionWith(run, options, ({ learned, isSandbox }) => {
    const { gate, maxInFlight } = createGate(options.pacer, { limit: learned?.limit(), isSandbox }, run.context);
    return { list: true, gate, maxInFlight, openHttpClient: openUndiciPool };
  });
}

function createGate(
  options: PacerOptions | undefined,
  { limit, isSandbox }: { readonly limit: number | undefined; readonly isSandbox: boolean },
  context: Context,
) {
  const sockets = socketsAllowed(isSandbox ? 2 : 1);
  const maxInFlight = Math.min(options?.concurrency ?? sockets, sockets);
  const pacer = new Pacer({ ...options, concurrency: maxInFlight, limit });
  return { gate: new Gate({ clock: context, pacer, isBusy: context.isBusy }), maxInFlight };
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
