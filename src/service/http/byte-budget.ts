/**
 * Limits the total memory of answers while they arrive: a hundred large ones at once would take gigabytes. An answer without
 * room is read later; meanwhile TCP holds back its sender.
 */

/** 40 of the longest profiles; others wait in the system's buffers. The first answer may exceed this. */
const MAX_BYTES = 8 * 1024 * 1024;

/** One answer's share of the budget. */
export interface Share {
  /** Resolves when there is room for `bytes` more; undefined if there is at once. */
  take(bytes: number): Promise<void> | undefined;
  /** Gives everything back. */
  release(): void;
}

interface Holder {
  held: number;
  waiting?: { readonly bytes: number; readonly go: () => void } | undefined;
}

export class ByteBudget {
  /** In the order in which their answers began. The first always gets room, so that one answer always proceeds. */
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
