/**
 * The addresses of a name, looked up once for all sockets. Node would look up each socket's, four at a time in its thread pool,
 * within the time to connect: with a slow name server, a list's sockets would time out in that queue.
 */
import type { LookupAddress, LookupAllOptions } from 'node:dns';
import type { Clock } from '../../context.ts';
import { dns } from '../../host/builtin.ts';

/** getaddrinfo(3) reports no time to live. Chromium keeps its answers for a minute, too. */
const KEEP_MS = 60_000;
/** One failed look-up would fail every request that waits for it, hundreds in a list, so it is repeated first. */
const MAX_LOOKUPS = 2;

/** The signature of dns.lookup in node, with all addresses. */
export type SystemLookup = (
  name: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

interface Known {
  readonly addresses: readonly string[];
  /** On the monotonic clock; older addresses are used until newer ones are known. */
  readonly freshUntil: number;
}

export class Names {
  private readonly known = new Map<string, Known>();
  private readonly underWay = new Map<string, Promise<Known>>();
  private isClosed = false;

  constructor(
    private readonly clock: Pick<Clock, 'monotonic'>,
    private readonly lookup: SystemLookup = (...question) => dns().lookup(...question),
  ) {}

  /** Resolves to the addresses in the order in which to try them. */
  async addresses(name: string): Promise<readonly string[]> {
    const old = this.known.get(name);
    if (old && this.clock.monotonic() < old.freshUntil) return old.addresses;
    const lookedUp = this.lookUp(name);
    if (!old) return (await lookedUp).addresses;
    // A failing name server does not disturb a list that has addresses.
    lookedUp.catch(() => {});
    return old.addresses;
  }

  /** Notes that a socket of `name` was connected to `address`: later ones try it first. */
  reached(name: string, address: string): void {
    const old = this.known.get(name);
    if (old) this.known.set(name, { ...old, addresses: withFirst(old.addresses, address) });
  }

  /** Notes that no address of `name` could be connected to: it may have moved, so the next socket starts a look-up. */
  missed(name: string): void {
    const old = this.known.get(name);
    if (old) this.known.set(name, { ...old, freshUntil: this.clock.monotonic() });
  }

  /** Starts no more look-ups; those under way cannot be cancelled. */
  close(): void {
    this.isClosed = true;
  }

  /** Joins the look-up that is under way. */
  private lookUp(name: string): Promise<Known> {
    const lookedUp = this.underWay.get(name) ?? this.refresh(name).finally(() => this.underWay.delete(name));
    this.underWay.set(name, lookedUp);
    return lookedUp;
  }

  private async refresh(name: string): Promise<Known> {
    const found = await this.addressesWithRetry(name);
    // The address that works stays first: otherwise each new socket might try a dead one first.
    const addresses = withFirst(found, this.known.get(name)?.addresses[0]);
    const learned = { addresses, freshUntil: this.clock.monotonic() + KEEP_MS };
    this.known.set(name, learned);
    return learned;
  }

  private async addressesWithRetry(name: string): Promise<readonly string[]> {
    for (let lookups = 1; ; lookups++) {
      try {
        return await addressesOf(name, this.lookup);
      } catch (error) {
        // ENOTFOUND is an answer: there is no such name.
        const isFinal = (error as NodeJS.ErrnoException).code === 'ENOTFOUND';
        if (isFinal || this.isClosed || lookups === MAX_LOOKUPS) throw error;
      }
    }
  }
}

function addressesOf(name: string, lookup: SystemLookup): Promise<string[]> {
  return new Promise((resolve, reject) => {
    lookup(name, { all: true, hints: dns().ADDRCONFIG }, (error, found) => {
      if (error) reject(error);
      else resolve(found.map(({ address }) => address));
    });
  });
}

function withFirst(addresses: readonly string[], first: string | undefined): readonly string[] {
  const isFirst = (address: string) => address === first;
  return [...addresses.filter(isFirst), ...addresses.filter((address) => !isFirst(address))];
}
