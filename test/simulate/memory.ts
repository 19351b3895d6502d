/**
 * Where a realm's large buffers and typed arrays are: parts of a few blocks, which the next process of the realm has again. Of
 * its own, each would make node collect all garbage after some sixty megabytes of them, every ten histories, and whatever was
 * compiled for a process that has ended goes with its last function: most of the time went into compiling it again.
 */

/** Smaller ones are left to node, bytes. */
const LARGE = 4_096;
const BLOCK = 16 * 1024 * 1024;
/** Every kind of number can begin there. */
const ALIGNMENT = 8;

const KINDS = {
  Uint8Array,
  Int8Array,
  Uint16Array,
  Int16Array,
  Uint32Array,
  Int32Array,
  Float32Array,
  Float64Array,
  BigInt64Array,
  BigUint64Array,
};

type Kind = (typeof KINDS)[keyof typeof KINDS];

export interface Memory {
  /** Buffer and the typed arrays, as a process finds them. */
  readonly globals: Readonly<Record<string, unknown>>;
  /** Calls `make`, which evaluates a module: its buffers outlive the process that first needed it. */
  outlasting<T>(make: () => T): T;
  /** Memory handed out so far is no longer used. */
  takeBack(): void;
}

export function createMemory(): Memory {
  const blocks: ArrayBuffer[] = [];
  let block = 0;
  let used = 0;
  /** Nesting depth of modules being evaluated. */
  let modules = 0;

  /** Memory with its previous content; undefined for what needs its own. */
  function take(size: number): { readonly buffer: ArrayBuffer; readonly offset: number } | undefined {
    if (size > BLOCK || modules > 0) return undefined;
    if (used + size > BLOCK) {
      block++;
      used = 0;
    }
    blocks[block] ??= new ArrayBuffer(BLOCK);
    const offset = used;
    used += Math.ceil(size / ALIGNMENT) * ALIGNMENT;
    return { buffer: blocks[block] as ArrayBuffer, offset };
  }

  function typed(Own: Kind): unknown {
    function Typed(...args: readonly unknown[]): object {
      const [length] = args;
      const size = typeof length === 'number' ? length * Own.BYTES_PER_ELEMENT : 0;
      const room = size >= LARGE ? take(size) : undefined;
      if (!room) return Reflect.construct(Own, args);
      return new Own(room.buffer, room.offset, length as number).fill(0 as never);
    }
    return Object.assign(Object.setPrototypeOf(Typed, Own), { prototype: Own.prototype });
  }

  function unsafe(size: number): Buffer {
    const room = size >= LARGE ? take(size) : undefined;
    return room ? Buffer.from(room.buffer, room.offset, size) : Buffer.allocUnsafe(size);
  }
  function OwnBuffer(): void {}
  const statics = {
    prototype: Buffer.prototype,
    allocUnsafe: unsafe,
    allocUnsafeSlow: unsafe,
    alloc: (size: number, ...filling: []) =>
      size >= LARGE ? unsafe(size).fill(0, ...filling) : Buffer.alloc(size, ...filling),
  };
  return {
    globals: {
      ...Object.fromEntries(Object.entries(KINDS).map(([name, Own]) => [name, typed(Own)])),
      Buffer: Object.assign(Object.setPrototypeOf(OwnBuffer, Buffer), statics),
    },
    outlasting(make) {
      modules++;
      try {
        return make();
      } finally {
        modules--;
      }
    },
    takeBack() {
      block = 0;
      used = 0;
    },
  };
}
