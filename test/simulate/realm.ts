/**
 * Realms for simulated processes: a global object and a queue of microtasks each, which runs only
 * when it is told to. So one process can run inside a system call of another, and what has been
 * killed never goes on.
 *
 * The program is evaluated once in each. What touches the world is handed on to the process that
 * has the realm: evaluating it for each process would take most of the time, since nothing would
 * ever be compiled.
 */
import * as nodeCrypto from 'node:crypto';
import * as nodeFs from 'node:fs';
import { createRequire } from 'node:module';
import * as nodeOs from 'node:os';
import * as nodeUtil from 'node:util';
import { type Context, createContext, Script } from 'node:vm';
import * as nodeZlib from 'node:zlib';
import { createAbort } from './abort.ts';
import { createGunzip, createTransform, type Unpacked } from './transform.ts';

const require = createRequire(import.meta.url);

/** What a process answers for. */
export interface Resident {
  /** `process`. */
  readonly object: object;
  /** node:fs, `promises` among it. */
  readonly files: Readonly<Record<string, unknown>> & { readonly promises: Readonly<Record<string, unknown>> };
  /** undici's Pool, and what stands for node's client. */
  readonly Dispatcher: new (
    ...args: never[]
  ) => object;
  readonly hostName: string;
  wall(): number;
  monotonic(): number;
  uptimeMs(): number;
  random(): number;
  setTimer(ms: unknown, work: () => void, kind: { readonly every: boolean; readonly isTimer: boolean }): Timer;
}

/** What setTimeout gives. */
export interface Timer {
  ref(): Timer;
  unref(): Timer;
  hasRef(): boolean;
  close(): void;
}

export interface Realm {
  readonly Promise: PromiseConstructor;
  /** Who lives there now. */
  resident: Resident | undefined;
  /** Runs the program for the resident, and returns how it ended. */
  run(done: () => void, failed: (error: unknown) => void): void;
  /** Runs all microtasks; false when they did not come to an end within `timeoutMs`. */
  drain(timeoutMs?: number): boolean;
  /** Has `work` done as a microtask. */
  soon(work: () => void): void;
  /** A module of node as the resident sees it. */
  module(name: string): unknown;
}

interface Intrinsics extends Pick<Realm, 'Promise' | 'soon'> {
  readonly Error: ErrorConstructor;
  readonly unpacked: Unpacked;
}

type Work = (...args: never[]) => void;
type Main = (done: () => void, failed: (error: unknown) => void) => void;
type Call = ((...args: unknown[]) => void) & { readonly resultNames?: readonly string[] };

const NOTHING = new Script('undefined');
const INTRINSICS = new Script(`({
  Promise,
  Error,
  soon: (work) => void Promise.resolve().then(() => work()),
  async *unpacked(source, unpack) {
    const chunks = [];
    for await (const chunk of source) chunks.push(chunk);
    yield unpack(chunks);
  },
})`);

export function createRealm(program: Script): Realm {
  const context: Context = createContext({}, { microtaskMode: 'afterEvaluate' });
  const own = INTRINSICS.runInContext(context) as Intrinsics;
  const { soon } = own;
  takeForeignErrors(own.Error);
  own.Error.stackTraceLimit = STACK_LINES;
  const here = (): Resident => {
    if (!realm.resident) throw new Error('nobody lives in this realm');
    return realm.resident;
  };
  const modules = createModules({ here, own });
  let main: Main | undefined;
  const realm: Realm = {
    Promise: own.Promise,
    resident: undefined,
    soon,
    module: modules,
    run(done, failed) {
      main ??= program.runInContext(context)(globalsOf({ here, soon, modules })) as Main;
      main(done, failed);
    },
    drain(timeoutMs) {
      try {
        if (timeoutMs === undefined) NOTHING.runInContext(context);
        else NOTHING.runInContext(context, { timeout: timeoutMs });
        return true;
      } catch (error) {
        if (timeoutMs === undefined) throw error;
        return false;
      }
    },
  };
  return realm;
}

/**
 * A stack costs more than what is thrown, and nobody looks at it: whoever follows an exception
 * wants 10 here.
 */
export const STACK_LINES = 0;

/** What the disk and node itself throw comes from another realm, and is an Error all the same. */
function takeForeignErrors(own: ErrorConstructor): void {
  const ordinary = Function.prototype[Symbol.hasInstance];
  Object.defineProperty(own, Symbol.hasInstance, {
    value(this: unknown, value: unknown) {
      return ordinary.call(this as () => void, value) || (this === own && nodeUtil.types.isNativeError(value));
    },
  });
}

interface Inside {
  readonly here: () => Resident;
  readonly soon: Realm['soon'];
}

function globalsOf({ here, soon, modules }: Inside & { readonly modules: Realm['module'] }) {
  class SimDate extends Date {
    constructor(...args: readonly unknown[]) {
      if (args.length === 0) super(here().wall());
      else super(...(args as [number]));
    }
    static override now(): number {
      return here().wall();
    }
  }
  const isTimer = { every: false, isTimer: true };
  const clear = (timer: Timer | undefined) => timer?.close();
  return {
    process: delegate(() => here().object),
    require: modules,
    setTimeout: (work: Work, ms?: number, ...args: never[]) => here().setTimer(ms, () => work(...args), isTimer),
    setInterval: (work: Work, ms?: number) => here().setTimer(ms, () => work(), { every: true, isTimer: true }),
    setImmediate: (work: Work, ...args: never[]) =>
      here().setTimer(0, () => work(...args), { every: false, isTimer: false }),
    clearTimeout: clear,
    clearInterval: clear,
    clearImmediate: clear,
    queueMicrotask: soon,
    performance: {
      now: () => here().monotonic(),
      // A simulated process is never busy.
      eventLoopUtilization: () => ({ idle: 1_000_000, active: 0, utilization: 0 }),
    },
    console,
    Date: SimDate,
    Math: Object.create(Object.getPrototypeOf(Math), {
      ...Object.getOwnPropertyDescriptors(Math),
      random: { value: () => here().random() },
    }),
    ...createAbort(),
    URL,
    URLSearchParams,
    TextDecoder,
    TextEncoder,
    Buffer,
    Uint8Array,
    Float64Array,
    ArrayBuffer,
    DataView,
    structuredClone,
    DOMException,
  };
}

/** An object whose members are those of what `find` finds at the time. */
function delegate(find: () => object): object {
  return new Proxy(
    {},
    {
      get: (_, name) => Reflect.get(find(), name),
      set: (_, name, value) => Reflect.set(find(), name, value),
      has: (_, name) => Reflect.has(find(), name),
      deleteProperty: (_, name) => Reflect.deleteProperty(find(), name),
    },
  );
}

function createModules({ here, own }: Pick<Inside, 'here'> & { readonly own: Intrinsics }): Realm['module'] {
  const { Promise: OwnPromise, soon, unpacked } = own;
  const made = new Map<string, unknown>();
  /** The functions of node:fs, forwarded to the resident's. */
  const calls = (from: (resident: Resident) => Readonly<Record<string, unknown>>, names: readonly string[]) =>
    Object.fromEntries(
      names.map((name) => [
        name,
        (...args: unknown[]) => (from(here())[name] as (...args: unknown[]) => unknown)(...args),
      ]),
    );
  const promisify =
    (call: Call) =>
    (...args: unknown[]) =>
      new OwnPromise((resolve, reject) => {
        call(...args, (error: unknown, ...values: unknown[]) => {
          const { resultNames } = call;
          if (error) reject(error);
          else resolve(resultNames ? Object.fromEntries(resultNames.map((name, i) => [name, values[i]])) : values[0]);
        });
      });
  const bytes = (size: number) => {
    const random = Buffer.alloc(size);
    for (let i = 0; i < size; i++) random[i] = Math.floor(here().random() * 256);
    return random;
  };
  function make(name: string): unknown {
    switch (name) {
      case 'fs': {
        const fs = calls(({ files }) => files, Object.keys(here().files));
        // As node has it, promisify gives both of what `read` calls back with.
        Object.assign(fs.read as object, { resultNames: ['bytesRead', 'buffer'] });
        const promises = calls(({ files }) => files.promises, Object.keys(here().files.promises));
        return { ...fs, constants: nodeFs.constants, promises };
      }
      case 'fs/promises':
        return (module('fs') as { promises: unknown }).promises;
      case 'crypto':
        return {
          ...nodeCrypto,
          randomBytes: bytes,
          randomUUID: () => bytes(16).toString('hex'),
        };
      case 'os':
        return {
          ...nodeOs,
          hostname: () => here().hostName,
          uptime: () => here().uptimeMs() / 1000,
          homedir: () => '/home/u',
          tmpdir: () => '/tmp',
        };
      case 'util':
        return { ...nodeUtil, promisify };
      case 'stream':
        return createTransform(soon);
      case 'zlib':
        return { ...nodeZlib, createGunzip: createGunzip(unpacked) };
      case 'events':
        // AbortSignals of a simulated process are not node's event targets.
        return Object.assign(Object.create(require('node:events')), { setMaxListeners() {} });
      case 'v8':
        return { setFlagsFromString() {} };
      case 'sim:dispatcher':
        return function Dispatcher(...args: never[]) {
          return new (here().Dispatcher)(...args);
        };
      default:
        return require(`node:${name}`);
    }
  }
  function module(name: string): unknown {
    const plain = name.replace(/^node:/, '');
    if (!made.has(plain)) made.set(plain, make(plain));
    return made.get(plain);
  }
  return module;
}

/** Realms of one program, each used again when its process has left nothing in it. */
export function createRealms(program: Script) {
  const free: Realm[] = [];
  return {
    take: (): Realm => free.pop() ?? createRealm(program),
    giveBack(realm: Realm): void {
      if (free.includes(realm)) throw new Error('a realm is given back twice');
      realm.resident = undefined;
      free.push(realm);
    },
  };
}
export type Realms = ReturnType<typeof createRealms>;
