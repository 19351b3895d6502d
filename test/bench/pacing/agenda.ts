/**
 * What happens next: a binary heap of actions by time, equal times in the order in which they were
 * put in.
 */
interface Entry {
  readonly at: number;
  readonly order: number;
  readonly act: () => void;
}

export interface Agenda {
  readonly now: () => number;
  at(time: number, act: () => void): void;
  /** Runs until nothing is left or `until` says so. */
  run(until: () => boolean): void;
}

export function createAgenda(): Agenda {
  const heap: Entry[] = [];
  let now = 0;
  let order = 0;
  const before = (a: Entry, b: Entry) => a.at < b.at || (a.at === b.at && a.order < b.order);

  function push(entry: Entry): void {
    let i = heap.push(entry) - 1;
    while (i > 0) {
      const parent = (i - 1) >> 1;
      if (before(heap[parent]!, entry)) break;
      heap[i] = heap[parent]!;
      i = parent;
    }
    heap[i] = entry;
  }

  function pop(): Entry | undefined {
    const first = heap[0];
    const last = heap.pop();
    if (!first || !last || heap.length === 0) return first;
    let i = 0;
    for (;;) {
      let child = 2 * i + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && before(heap[child + 1]!, heap[child]!)) child++;
      if (before(last, heap[child]!)) break;
      heap[i] = heap[child]!;
      i = child;
    }
    heap[i] = last;
    return first;
  }

  return {
    now: () => now,
    at: (time, act) => push({ at: Math.max(time, now), order: order++, act }),
    run(until) {
      for (let entry = pop(); entry && !until(); entry = pop()) {
        now = entry.at;
        entry.act();
      }
    },
  };
}
