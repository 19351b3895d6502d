/**
 * What stands for undici in a simulated process: it carries requests to the simulated service and
 * hands back answers as undici does, head, pieces of the body, end. What happens below a request
 * (names, sockets, TLS) is tested with real processes.
 */
import type { SentRequest } from './history.ts';
import type { SimProcess } from './process.ts';
import type { Delivery, Service } from './service.ts';
import type { Happening, World } from './world.ts';

interface Handler {
  onRequestStart(controller: object): void;
  onResponseStart(controller: object, status: number, headers: Readonly<Record<string, string>>): void;
  onResponseData(controller: object, chunk: Buffer): void;
  onResponseEnd(controller: object, trailers: object): void;
  onResponseError(controller: object, error: Error): void;
}

type Answer = Extract<Delivery, { kind: 'answer' }>;

const failure = (code: string) => Object.assign(new Error(code), { code });

/**
 * The class that a process gets for undici's Pool. `onSent` is told of each request that leaves.
 */
export function dispatcherClass(
  process: SimProcess,
  { world, service, epoch }: { world: World; service: () => Service; epoch: number },
) {
  class Dispatcher {
    private readonly open = new Set<() => void>();

    dispatch({ path }: { readonly path: string }, handler: Handler): boolean {
      process.enter();
      const pending: Happening[] = [];
      let isOver = false;
      let isRefused = false;
      process.refs++;
      const end = () => {
        if (isOver) return;
        isOver = true;
        process.refs--;
        for (const happening of pending) happening.isOff = true;
        this.open.delete(giveUp);
      };
      const giveUp = () => {
        if (!isOver) request.abandonedAt ??= epoch + world.now;
        end();
      };
      this.open.add(giveUp);
      const step = (ms: number, work: () => void) => {
        const act = () => {
          if (!isOver) work();
        };
        pending.push(world.after(ms, act, process));
      };
      const controller = { abort: giveUp };
      const request = service().ask(process.name, path, (delivery) => {
        if (delivery.kind === 'answer') bring(delivery, { request, step, end, handler, controller });
        if (delivery.kind !== 'unreachable') return;
        isRefused = true;
        step(delivery.afterMs, () => {
          end();
          handler.onResponseError(controller, failure(delivery.code));
        });
      });
      if (!isRefused) step(0, () => handler.onRequestStart(controller));
      return true;
    }

    destroy(): Promise<void> {
      for (const giveUp of [...this.open]) giveUp();
      return process.Promise.resolve();
    }
  }

  interface Bringing {
    readonly request: SentRequest;
    readonly step: (ms: number, work: () => void) => void;
    readonly end: () => void;
    readonly handler: Handler;
    readonly controller: object;
  }

  function bring(answer: Answer, { request, step, end, handler, controller }: Bringing): void {
    const { status, headers, chunks, headMs, endMs, cutBy } = answer;
    step(headMs, () => handler.onResponseStart(controller, status, headers));
    chunks.forEach((chunk, i) => {
      step(headMs + ((endMs - headMs) * (i + 1)) / chunks.length, () => handler.onResponseData(controller, chunk));
    });
    step(endMs, () => {
      end();
      if (cutBy) {
        handler.onResponseError(controller, failure(cutBy));
        return;
      }
      request.deliveredAt = epoch + world.now;
      handler.onResponseEnd(controller, {});
    });
  }
  return Dispatcher;
}
