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

interface Holder {
  held: number;
  waiting?: { readonly bytes: number; readonly go: () => void } | undefined;
}

export class ByteBudget {
  /** In the order in which their answers began. The first may always go on: so one does, whatever the others hold. */
  private readonly holders = new Set<Holder>();
  private held = 0;

  constructor(private readonly most = MAX_BYTES) {}

  open(): Share {
    const holder: Holder = { held: 0 };
    this.holders.add(holder);
    return {
      take: (bytes) => {
        if (this.admit(holder, bytes)) return undefined;
        return new Promise((go) => {
          holder.waiting = { bytes, go };
        });
      },
      release: () => {
        this.holders.delete(holder);
        this.held -= holder.held;
        this.wakeAll();
      },
    };
  }

  private admit(holder: Holder, bytes: number): boolean {
    if (this.held + bytes > this.most && holder !== this.first()) return false;
    this.held += bytes;
    holder.held += bytes;
    return true;
  }

  private first(): Holder | undefined {
    const [first] = this.holders;
    return first;
  }

  private wakeAll(): void {
    for (const holder of this.holders) {
      const { waiting } = holder;
      if (!waiting || !this.admit(holder, waiting.bytes)) continue;
      holder.waiting = undefined;
      waiting.go();
    }
  }
}
