/**
 * A simulated process: a run of the real program with timers, files, signals and sockets of the
 * world. It ends when nothing is left that it waits for, by a signal, or by a kill: then no
 * `finally` and no `catch` behind it has any effect, for every call of the dead throws and does
 * nothing.
 */
import type * as nodeFs from 'node:fs';
import * as nodeOs from 'node:os';
import { inspect } from 'node:util';
import type { Caller } from './disk.ts';
import type { RunRecord } from './history.ts';
import { type Random, randomOf } from './random.ts';
import type { Realm, Realms, Resident, Timer } from './realm.ts';
import type { Signal } from './scenario.ts';
import type { Happening, Owner, World } from './world.ts';

/** Milliseconds; more than a machine sleeps in a history. */
const MONOTONIC_START = 1e9;

/** A computer: one clock, one boot, several pid namespaces. */
export interface Machine {
  bootId: string;
  /** World time of the boot. */
  bootAt: number;
  /** Error of the wall clock, milliseconds. */
  stepped: number;
  /** Time asleep, milliseconds, during which its monotonic clock stopped. */
  slept: number;
}

/** What processes have in common. */
export interface Setting {
  readonly world: World;
  readonly machine: Machine;
  /** The true time at the start of the world, milliseconds since 1970. */
  readonly epoch: number;
  readonly seed: number;
  readonly realms: Realms;
  /** `node:fs` as the disk gives it to a process. */
  readonly fsFor: (caller: Caller) => object;
  readonly dispatcherFor: (process: SimProcess) => Resident['Dispatcher'];
  /** The running process with `pid` in that namespace. */
  readonly find: (space: string, pid: number) => SimProcess | undefined;
  /** Those that are on the stack, the innermost last. */
  readonly onStack: SimProcess[];
  readonly onEnd: (process: SimProcess) => void;
  readonly onFault: (rule: string, detail: string) => void;
}

export interface Start {
  /** The pid namespace, and what the host is called in it. */
  readonly space: string;
  readonly hostName: string;
  readonly pid: number;
  readonly cwd: string;
  /** Number of characters after which the reader of standard output leaves. */
  readonly readerTakes?: number | undefined;
  /** Chunks of standard input, at an interval in milliseconds. */
  readonly stdin?: { readonly chunks: readonly Buffer[]; readonly gapMs: number } | undefined;
}

/**
 * Thrown through the stack of a process that has ended. Whoever catches it gets no further than the
 * next call.
 */
class Ended extends Error {
  override readonly name = 'Ended';
}

export const isEnded = (error: unknown) => error instanceof Ended;

type SignalListener = (signal: string) => void;

/** A timer of node cannot be set further ahead. */
const MAX_TIMER_MS = 2 ** 31 - 1;
/**
 * The microtasks of whoever was killed on the stack come to their end; those that go round in a
 * circle do not, milliseconds.
 */
const LAST_WORDS_MS = 500;

export class SimProcess implements Owner, Caller, Resident {
  readonly uid = 1000;
  readonly gid = 1000;
  readonly backlog: Happening[] = [];
  hasEnded = false;
  /** How many things keep it from ending. */
  refs = 0;
  exitCode: number | undefined;
  readonly object: object;
  readonly files: Resident['files'];
  readonly Dispatcher: Resident['Dispatcher'];
  readonly random: Random;
  /** In ticks since the boot. */
  readonly startTicks: number;
  readonly listeners = new Map<string, SignalListener[]>();
  private readonly realm: Realm;
  private isOnStack = false;
  /** How many halts hold it, since when, and until when. */
  private halts = 0;
  private haltedAt = 0;
  private haltedUntil = 0;
  /** Whether the program has come to its end. */
  private hasReturned = false;

  constructor(
    readonly setting: Setting,
    readonly start: Start,
    readonly record: RunRecord,
  ) {
    const { world, machine, realms, seed } = setting;
    this.realm = realms.take();
    this.random = randomOf(seed, 'process', record.name);
    this.startTicks = 1000 + Math.floor((world.now - machine.bootAt) / 10);
    this.object = processObject(this, this.realm);
    this.files = filesOf(this, setting.fsFor(this));
    this.Dispatcher = setting.dispatcherFor(this);
    this.realm.resident = this;
  }

  get name(): string {
    return this.record.name;
  }

  get hostName(): string {
    return this.start.hostName;
  }

  get Promise(): PromiseConstructor {
    return this.realm.Promise;
  }

  get isAway(): boolean {
    return this.isOnStack || this.halts > 0;
  }

  wall(): number {
    const { epoch, world, machine } = this.setting;
    return Math.floor(epoch + world.now + machine.stepped);
  }

  /** Never below 0: time asleep is added in advance for processes that start meanwhile. */
  monotonic(): number {
    return this.setting.world.now - this.setting.machine.slept + MONOTONIC_START;
  }

  uptimeMs(): number {
    return this.setting.world.now - this.setting.machine.bootAt;
  }

  begin(): void {
    this.turn(() => {
      this.realm.run(
        () => {
          this.hasReturned = true;
        },
        (error) => this.crash(error),
      );
    });
  }

  turn(work: () => void): void {
    if (this.hasEnded) return;
    this.isOnStack = true;
    this.setting.onStack.push(this);
    try {
      work();
      this.realm.drain();
    } catch (error) {
      this.crash(error);
    }
    this.setting.onStack.pop();
    this.isOnStack = false;
    if (this.hasEnded) {
      this.leave();
      return;
    }
    if (this.backlog.length > 0 && !this.isAway) this.setting.world.release(this);
    if (this.refs > 0) return;
    if (!this.hasReturned) this.setting.onFault('a run ends before it has come to its end', this.name);
    this.end(this.hasReturned ? 'exit' : 'stuck', this.exitCode ?? 0);
  }

  /** To be called before each call to the system. */
  enter(): void {
    if (this.hasEnded) throw new Ended();
  }

  later(ms: number, callback: () => void): void {
    this.refs++;
    const act = () => {
      this.refs--;
      callback();
    };
    this.setting.world.after(ms, act, this);
  }

  wait(ms: number): void {
    const { world } = this.setting;
    const until = world.now + ms;
    world.runUntil(until);
    // Halted meanwhile: the call returns when it continues.
    while (this.halts > 0 && !this.hasEnded && this.haltedUntil > world.now) world.runUntil(this.haltedUntil);
    this.enter();
    // A process that started inside this call, and is itself inside a call, keeps this one from
    // returning.
    this.record.haltedMs += Math.max(0, world.now - Math.max(until, this.haltedUntil));
  }

  /** Stops it for `ms`, as SIGSTOP and SIGCONT do. */
  halt(ms: number): void {
    if (this.hasEnded) return;
    const { world } = this.setting;
    if (this.halts === 0) this.haltedAt = world.now;
    this.halts++;
    this.haltedUntil = Math.max(this.haltedUntil, world.now + ms);
    world.after(ms, () => {
      this.halts--;
      if (this.halts > 0 || this.hasEnded) return;
      this.record.haltedMs += world.now - this.haltedAt;
      if (!this.isOnStack) world.release(this);
    });
  }

  signal(signal: Signal): void {
    if (this.hasEnded) return;
    const { world, epoch } = this.setting;
    this.record.signals.push({ at: epoch + world.now, signal });
    const heard = () => this.listeners.get(signal) ?? [];
    // One that nobody listens to needs no turn of the event loop.
    if (heard().length === 0) {
      this.endBy(signal);
      return;
    }
    const deliver = () => {
      if (heard().length === 0) this.endBy(signal);
      for (const listener of [...heard()]) listener(signal);
    };
    world.after(0, deliver, this);
  }

  kill(how: 'kill' | 'power'): void {
    this.end(how, undefined);
  }

  endBy(signal: string): void {
    this.end('signal', 128 + nodeOs.constants.signals[signal as Signal]);
  }

  /** process.exit. */
  exit(code: number): never {
    this.end('exit', code);
    throw new Ended();
  }

  setTimer(
    ms: unknown,
    work: () => void,
    { every, isTimer }: { readonly every: boolean; readonly isTimer: boolean },
  ): Timer {
    this.enter();
    const { world } = this.setting;
    const delay = Math.max(isTimer ? 1 : 0, Math.min(Number(ms) || 0, MAX_TIMER_MS));
    let isRef = true;
    let isSet = true;
    this.refs++;
    const settle = () => {
      if (isSet && isRef) this.refs--;
      isSet = false;
    };
    const ring = () => {
      if (every) happening = world.after(delay, ring, this, true);
      else settle();
      work();
    };
    let happening = world.after(delay, ring, this, isTimer);
    const timer: Timer = {
      ref: () => timer,
      unref: () => {
        if (isSet && isRef) this.refs--;
        isRef = false;
        return timer;
      },
      hasRef: () => isRef,
      close: () => {
        happening.isOff = true;
        settle();
      },
    };
    return timer;
  }

  /** An exception that nobody catches. */
  private crash(error: unknown): void {
    if (this.hasEnded || isEnded(error)) return;
    this.setting.onFault('a run ends with an exception that nobody catches', `${this.name}: ${inspect(error)}`);
    this.end('exit', 1);
  }

  private end(how: RunRecord['how'], exitCode: number | undefined): void {
    if (this.hasEnded) return;
    this.hasEnded = true;
    this.record.how = how;
    this.record.exitCode = exitCode;
    if (this.halts > 0) this.record.haltedMs += this.setting.world.now - this.haltedAt;
    this.record.endedAt = this.setting.epoch + this.setting.world.now;
    this.setting.onEnd(this);
    if (!this.isOnStack) this.leave();
  }

  /** Its pending work runs up to its next call. */
  private leave(): void {
    const { realm, setting } = this;
    if (realm.drain(this.hasReturned ? undefined : LAST_WORDS_MS)) setting.realms.giveBack(realm);
  }
}

function processObject(owner: SimProcess, realm: Realm): object {
  const { start, record, setting, listeners } = owner;
  const listenersOf = (event: string) => listeners.get(event) ?? [];
  const on = (event: string, listener: SignalListener) => {
    listeners.set(event, [...listenersOf(event), listener]);
    return object;
  };
  const off = (event: string, listener: SignalListener) => {
    listeners.set(
      event,
      listenersOf(event).filter((one) => one !== listener),
    );
    return object;
  };
  const object = {
    argv: ['node', 'riskcli', ...record.argv],
    execArgv: [],
    execPath: '/usr/bin/node',
    env: { ...record.env },
    pid: start.pid,
    platform: 'linux',
    arch: 'x64',
    version: 'v20.20.2',
    versions: { ...process.versions, node: '20.20.2' },
    stdout: outputStream(owner, 'stdout'),
    stderr: outputStream(owner, 'stderr'),
    stdin: inputStream(owner),
    get exitCode() {
      return owner.exitCode;
    },
    set exitCode(code: number | undefined) {
      owner.exitCode = code;
    },
    cwd: () => start.cwd,
    umask: () => 0o022,
    getuid: () => owner.uid,
    geteuid: () => owner.uid,
    getgid: () => owner.gid,
    hrtime: { bigint: () => BigInt(Math.floor(owner.monotonic() * 1e6)) },
    nextTick: (work: (...args: never[]) => void, ...args: never[]) => realm.soon(() => work(...args)),
    on,
    once: on,
    off,
    removeListener: off,
    removeAllListeners(event: string) {
      listeners.delete(event);
      return object;
    },
    listeners: (event: string) => [...listenersOf(event)],
    listenerCount: (event: string) => listenersOf(event).length,
    emitWarning() {},
    exit: (code?: number) => owner.exit(code ?? owner.exitCode ?? 0),
    kill(pid: number, signal: string | number) {
      owner.enter();
      const target = setting.find(start.space, pid);
      if (!target) throw Object.assign(new Error('kill ESRCH'), { code: 'ESRCH', syscall: 'kill' });
      if (signal === 0) return true;
      if (target !== owner) throw new Error('no run sends a signal to another');
      owner.endBy(String(signal));
      throw new Ended();
    },
    getBuiltinModule: (name: string) => realm.module(name),
  };
  return object;
}

/** Standard output and error are pipes, whose reader may leave. */
function outputStream(owner: SimProcess, name: 'stdout' | 'stderr') {
  const { record, start } = owner;
  const takes = (name === 'stdout' ? start.readerTakes : undefined) ?? Number.POSITIVE_INFINITY;
  const stream = {
    fd: name === 'stdout' ? 1 : 2,
    writable: true,
    on: () => stream,
    once: () => stream,
    off: () => stream,
    removeListener: () => stream,
    write(text: string | Uint8Array, ...rest: unknown[]) {
      owner.enter();
      const done = rest.findLast((one) => typeof one === 'function') as ((error?: Error) => void) | undefined;
      const isGone = record[name].length >= takes;
      if (!isGone) record[name] += typeof text === 'string' ? text : Buffer.from(text).toString();
      const error = isGone ? Object.assign(new Error('write EPIPE'), { code: 'EPIPE', syscall: 'write' }) : undefined;
      owner.later(0, () => done?.(error));
      return true;
    },
  };
  return stream;
}

/** Standard input is a pipe, as a reader of it by `for await` sees it. */
function inputStream(owner: SimProcess) {
  const { chunks, gapMs } = owner.start.stdin ?? { chunks: [], gapMs: 0 };
  const over = { done: true, value: undefined } as const;
  let next = 0;
  let isOver = false;
  let waiting: { readonly timer: Timer; readonly end: () => void } | undefined;
  function stop(): void {
    isOver = true;
    waiting?.timer.close();
    waiting?.end();
    waiting = undefined;
  }
  const read = () =>
    new owner.Promise((resolve) => {
      if (isOver) {
        resolve(over);
        return;
      }
      const bring = () => {
        waiting = undefined;
        const value = chunks[next++];
        isOver = value === undefined;
        resolve(value === undefined ? over : { done: false, value });
      };
      const timer = owner.setTimer(gapMs, bring, { every: false, isTimer: false });
      waiting = { timer, end: () => resolve(over) };
    });
  const stream = {
    fd: 0,
    isTTY: undefined,
    destroy: stop,
    on: () => stream,
    once: () => stream,
    off: () => stream,
    [Symbol.asyncIterator]: () => ({
      next: read,
      return() {
        stop();
        return owner.Promise.resolve(over);
      },
    }),
  };
  return stream;
}

const isNot = () => false;
/** The status of a standard stream. */
const PIPE = {
  isFile: isNot,
  isDirectory: isNot,
  isSymbolicLink: isNot,
  isCharacterDevice: isNot,
  isBlockDevice: isNot,
  isSocket: isNot,
  isFIFO: () => true,
  dev: 13,
  ino: 1,
  mode: 0o010600,
  size: 0,
};
/** Of /dev/null and its like. */
const CHARACTER_DEVICE = { ...PIPE, isFIFO: isNot, isCharacterDevice: () => true, dev: 5, ino: 6, rdev: 259 };

type Fs = typeof nodeFs;

/** The disk's files, with /proc and /dev beside them. */
function filesOf(owner: SimProcess, disk: object): Resident['files'] {
  const of = disk as Fs;
  const isProc = (path: unknown): path is string => typeof path === 'string' && path.startsWith('/proc/');
  const isNull = (path: unknown) => path === '/dev/null';
  const files = {
    ...of,
    readFileSync: (path: string, options: BufferEncoding) =>
      isProc(path) ? proc(owner, path) : of.readFileSync(path, options),
    readlinkSync: (path: string, options: BufferEncoding) =>
      isProc(path) ? proc(owner, path) : of.readlinkSync(path, options),
    fstatSync: (fd: number, options: object) => (fd > 2 ? of.fstatSync(fd, options) : PIPE),
    statSync: (path: string, options: object) => (isNull(path) ? CHARACTER_DEVICE : of.statSync(path, options)),
    createReadStream: (path: string) => readStream(owner, of, path),
  };
  return files as unknown as Resident['files'];
}

/** proc(5), as much of it as the program looks at. */
function proc(owner: SimProcess, path: string): string {
  owner.enter();
  const { setting, start } = owner;
  if (path === '/proc/self') return String(start.pid);
  if (path === '/proc/self/ns/pid') return `pid:[${start.space}]`;
  if (path === '/proc/sys/kernel/random/boot_id') return `${setting.machine.bootId}\n`;
  const [, pid] = /^\/proc\/(\d+)\/stat$/.exec(path) ?? [];
  const found = pid === undefined ? undefined : setting.find(start.space, Number(pid));
  if (found) return `${pid} (node) S 1 ${'0 '.repeat(17)}${found.startTicks} 0 0\n`;
  const message = `ENOENT: no such file or directory, open '${path}'`;
  throw Object.assign(new Error(message), { code: 'ENOENT', errno: -2, syscall: 'open', path });
}

const BLOCK = 4096;

/** As much of a stream of a file as a reader of it by `for await` sees. */
function readStream(owner: SimProcess, fs: Fs, path: string) {
  let fd: number | undefined;
  let position = 0;
  let isOver = false;
  function end(): void {
    isOver = true;
    const open = fd;
    fd = undefined;
    if (open !== undefined) fs.closeSync(open);
  }
  /** As for node's streams, a failing close is not reported. */
  function destroy(): void {
    try {
      end();
    } catch (error) {
      if (isEnded(error)) throw error;
    }
  }
  function read() {
    if (isOver) return { done: true, value: undefined };
    fd ??= fs.openSync(path, 'r');
    const block = Buffer.allocUnsafe(BLOCK);
    const size = fs.readSync(fd, block, 0, BLOCK, position);
    position += size;
    if (size === 0) end();
    return size === 0 ? { done: true, value: undefined } : { done: false, value: block.subarray(0, size) };
  }
  const next = () =>
    new owner.Promise((resolve, reject) => {
      owner.later(0, () => {
        try {
          resolve(read());
        } catch (error) {
          isOver = true;
          reject(error);
        }
      });
    });
  const stop = () => {
    destroy();
    return owner.Promise.resolve({ done: true, value: undefined });
  };
  const stream = {
    destroy,
    on: () => stream,
    once: () => stream,
    [Symbol.asyncIterator]: () => ({ next, return: stop }),
  };
  return stream;
}
