/**
 * The memory that answers take while they arrive, all together: a hundred large ones at once would take gigabytes. An
 * answer that finds no room is read on later, and TCP holds its sender meanwhile.
 */

/** 40 of the longest profiles, and more wait in the system's buffers; the one that may always go on comes on top. */
const MAX_BYTES = 8 * 1024 * 1024;

/** What one answer holds of the budget. */
export interface Share {
  /** Resolves, or returns undefined at once, when there is room for so many bytes more. */
  take(bytes: number): Promise<void> | undefined;
  /** Gives everything back. */
  release(): void;
}

export type ByteBudget = ReturnType<typeof createByteBudget>;

interface Holder {
  held: number;
  waiting?: { readonly bytes: number; readonly go: () => void };
}

export function createByteBudget(most = MAX_BYTES) {
  /** In the order in which their answers began. The first may always go on: so one does, whatever the others hold. */
  const holders = new Set<Holder>();
  let held = 0;

  function admit(holder: Holder, bytes: number): boolean {
    const [first] = holders;
    if (held + bytes > most && holder !== first) return false;
    held += bytes;
    holder.held += bytes;
    return true;
  }

  function wakeAll(): void {
    for (const holder of holders) {
      const { waiting } = holder;
      if (!waiting || !admit(holder, waiting.bytes)) continue;
      holder.waiting = undefined;
      waiting.go();
    }
  }

  return {
    open(): Share {
      const holder: Holder = { held: 0 };
      holders.add(holder);
      return {
        take(bytes) {
          if (admit(holder, bytes)) return undefined;
          return new Promise((go) => {
            holder.waiting = { bytes, go };
          });
        },
        release() {
          holders.delete(holder);
          held -= holder.held;
          wakeAll();
        },
      };
    },
  };
}
