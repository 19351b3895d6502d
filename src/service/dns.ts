/**
 * The addresses of a name, asked for once for all sockets. Node asks for each socket anew, four at a time in its thread
 * pool, within the time to connect: with a slow name server a list's sockets would time out queueing.
 */
import { ADDRCONFIG, type LookupAddress, type LookupAllOptions, lookup as systemLookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import type { Clock } from '../context.ts';

/** getaddrinfo(3) tells no time to live; Chromium keeps what it says for a minute, too. */
const KEEP_MS = 60_000;
/** A name server is asked a second time by itself: one lost packet would cost every request that waits for the answer. */
const MOST_LOOKUPS = 2;

/** As dns.lookup of node, with all addresses. */
export type SystemLookup = (
  name: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

export interface Names {
  /** For net.connect, which tries the addresses in turn. */
  readonly lookup: LookupFunction;
  /** A socket of `name` was connected to `address`: later ones try it first. */
  reached(name: string, address: string): void;
  /** No address of `name` could be connected to: it may have moved, so that the next socket asks anew. */
  missed(name: string): void;
}

interface Known {
  readonly addresses: readonly LookupAddress[];
  /** On the monotonic clock; what is older is still used while nothing newer is known. */
  readonly freshUntil: number;
}

export interface NamesOptions {
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly lookup?: SystemLookup;
}

export function createNames({ clock, lookup = systemLookup }: NamesOptions): Names {
  const known = new Map<string, Known>();
  const underWay = new Map<string, Promise<Known>>();

  function ask(name: string): Promise<Known> {
    const asked = underWay.get(name) ?? learn(name).finally(() => underWay.delete(name));
    underWay.set(name, asked);
    return asked;
  }

  async function learn(name: string): Promise<Known> {
    const learned = { addresses: await addressesOf(name, lookup), freshUntil: clock.monotonic() + KEEP_MS };
    known.set(name, learned);
    return learned;
  }

  async function find(name: string): Promise<Known> {
    const old = known.get(name);
    if (old && clock.monotonic() < old.freshUntil) return old;
    const asked = ask(name);
    if (!old) return asked;
    // A name server in trouble takes nothing from a list that knows its service.
    asked.catch(() => {});
    return old;
  }

  return {
    lookup(name, { all }, callback) {
      find(name).then(
        ({ addresses: [first, ...more] }) => {
          if (all && first) callback(null, [first, ...more]);
          else callback(null, first?.address ?? '', first?.family);
        },
        (error) => callback(error, []),
      );
    },
    reached(name, address) {
      const old = known.get(name);
      const first = old?.addresses.find((one) => one.address === address);
      if (!old || !first || first === old.addresses[0]) return;
      known.set(name, { ...old, addresses: [first, ...old.addresses.filter((one) => one !== first)] });
    },
    missed(name) {
      const old = known.get(name);
      if (old) known.set(name, { ...old, freshUntil: clock.monotonic() });
    },
  };
}

async function addressesOf(name: string, lookup: SystemLookup): Promise<LookupAddress[]> {
  for (let lookups = 1; ; lookups++) {
    try {
      return await lookUp(name, lookup);
    } catch (error) {
      // That there is no such name is an answer.
      if (lookups === MOST_LOOKUPS || (error as NodeJS.ErrnoException).code === 'ENOTFOUND') throw error;
    }
  }
}

function lookUp(name: string, lookup: SystemLookup): Promise<LookupAddress[]> {
  return new Promise((resolve, reject) => {
    lookup(name, { all: true, hints: ADDRCONFIG }, (error, addresses) => {
      if (error) reject(error);
      else resolve(addresses);
    });
  });
}
