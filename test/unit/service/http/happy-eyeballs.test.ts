import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { connectToFirst, type Done } from '../../../../src/service/http/happy-eyeballs.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

class FakeSocket extends EventEmitter {
  destroyed = false;
  constructor(
    readonly address: string,
    readonly done: Done,
  ) {
    super();
  }
  destroy() {
    this.destroyed = true;
  }
  accept() {
    this.emit('connect');
  }
  succeed() {
    this.accept();
    this.done(null, this as unknown as Socket);
  }
  fail(message: string) {
    this.done(new Error(message), null);
  }
}

function race(...addresses: string[]) {
  const sockets: FakeSocket[] = [];
  const open = (address: string, done: Done) => {
    const socket = new FakeSocket(address, done);
    sockets.push(socket);
    return socket as unknown as Socket;
  };
  const result = connectToFirst(addresses, open);
  result.catch(() => {});
  return { sockets, result, tried: () => sockets.map(({ address }) => address) };
}

describe('the addresses of a name', () => {
  it('are tried one at a time while they fail quickly', async () => {
    const { sockets, result, tried } = race('a', 'b', 'c');
    expect(tried()).toEqual(['a']);
    sockets[0]?.fail('refused');
    expect(tried()).toEqual(['a', 'b']);
    sockets[1]?.succeed();
    expect(await result).toEqual([sockets[1], 'b']);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(tried()).toEqual(['a', 'b']);
  });

  it('are tried in parallel with a silent one, which may still win', async () => {
    const { sockets, result, tried } = race('a', 'b', 'c');
    await vi.advanceTimersByTimeAsync(251);
    expect(tried()).toEqual(['a', 'b']);
    sockets[0]?.succeed();
    expect(await result).toEqual([sockets[0], 'a']);
    expect(sockets[1]?.destroyed).toBe(true);
    sockets[1]?.fail('late');
    await vi.advanceTimersByTimeAsync(10_000);
    expect(tried()).toEqual(['a', 'b']);
  });

  it('are not tried during the TLS handshake of another', async () => {
    const { sockets, result, tried } = race('a', 'b');
    sockets[0]?.accept();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(tried()).toEqual(['a']);
    sockets[0]?.fail('certificate');
    await expect(result).rejects.toThrow('certificate');
    expect(tried()).toEqual(['a']);
  });

  it('fail when the last one fails', async () => {
    const { sockets, result } = race('a', 'b');
    await vi.advanceTimersByTimeAsync(251);
    sockets[1]?.fail('b');
    sockets[0]?.fail('a');
    await expect(result).rejects.toThrow('a');
  });
});
