/**
 * Simulated time: a queue of what is going to happen, and the one place where it happens. Time goes
 * on from one event to the next; when nothing is queued the world stands still, and whoever waits
 * then waits for ever, which is a finding. A process can let others run while it is inside a call
 * to the system: `runUntil` may be entered again.
 */

/** What an event needs to know of whoever it happens to. */
export interface Owner {
  /** Drops the events of an ended process. */
  readonly hasEnded: boolean;
  /** On the stack, or halted: its events wait. */
  readonly isAway: boolean;
  readonly backlog: Happening[];
  /** Runs `work` as one turn of its event loop. */
  turn(work: () => void): void;
}

export interface Happening {
  time: number;
  order: number;
  readonly owner: Owner | undefined;
  readonly work: () => void;
  /** Whether its clock stops while the machine sleeps. */
  readonly isTimer: boolean;
  isOff: boolean;
}

/** Deeper, and others wait: each level is a process inside a call of another. */
const MAX_DEPTH = 4;
/** No history has more; it goes round in a circle. */
const MAX_EVENTS = 400_000;

export class World {
  /** Milliseconds since the start of the history. */
  now = 0;
  events = 0;
  depth = 0;
  private order = 0;
  private readonly heap: Happening[] = [];

  /** Schedules `work` at `time`, for `owner` if it still exists. */
  at(time: number, work: () => void, owner?: Owner, isTimer = false): Happening {
    const happening = { time, order: this.order++, owner, work, isTimer, isOff: false };
    this.push(happening);
    return happening;
  }

  after(ms: number, work: () => void, owner?: Owner, isTimer = false): Happening {
    return this.at(this.now + ms, work, owner, isTimer);
  }

  /** Runs the pending events of `owner` now, in the order in which they were due. */
  release(owner: Owner): void {
    for (const happening of owner.backlog.splice(0)) {
      happening.time = this.now;
      happening.order = this.order++;
      this.push(happening);
    }
  }

  /** Delays all timers by `ms`: their clock stops for that time. */
  shiftTimers(ms: number): void {
    const all = this.heap.splice(0);
    for (const happening of all) {
      if (happening.isTimer) happening.time += ms;
      this.push(happening);
    }
  }

  /** Runs all events due until `time`, and sets the clock to it. */
  runUntil(time: number): void {
    if (this.depth < MAX_DEPTH) {
      this.depth++;
      try {
        for (let next = this.heap[0]; next && next.time <= time; next = this.heap[0]) this.step();
      } finally {
        this.depth--;
      }
    }
    this.now = Math.max(this.now, time);
  }

  /** Runs events while `goesOn` returns true; false if no events are left. */
  runWhile(goesOn: () => boolean): boolean {
    while (goesOn()) if (!this.step()) return false;
    return true;
  }

  /** Runs the next event; false if there is none. */
  private step(): boolean {
    const next = this.pop();
    if (!next) return false;
    if (next.isOff) return true;
    const { owner } = next;
    if (owner?.hasEnded) return true;
    if (next.time > this.now) this.now = next.time;
    if (owner?.isAway) {
      owner.backlog.push(next);
      return true;
    }
    if (++this.events > MAX_EVENTS) throw new EndlessError();
    if (owner) owner.turn(next.work);
    else next.work();
    return true;
  }

  private push(happening: Happening): void {
    const { heap } = this;
    let at = heap.push(happening) - 1;
    while (at > 0) {
      const above = (at - 1) >> 1;
      const parent = heap[above] as Happening;
      if (!isBefore(happening, parent)) break;
      heap[at] = parent;
      at = above;
    }
    heap[at] = happening;
  }

  private pop(): Happening | undefined {
    const { heap } = this;
    const first = heap[0];
    const last = heap.pop();
    if (!first || !last || heap.length === 0) return first;
    let at = 0;
    for (;;) {
      let below = 2 * at + 1;
      if (below >= heap.length) break;
      const right = heap[below + 1];
      if (right && isBefore(right, heap[below] as Happening)) below++;
      const child = heap[below] as Happening;
      if (!isBefore(child, last)) break;
      heap[at] = child;
      at = below;
    }
    heap[at] = last;
    return first;
  }
}

const isBefore = (one: Happening, other: Happening) =>
  one.time < other.time || (one.time === other.time && one.order < other.order);

/** More has happened than can: something goes round in a circle without waiting for anything. */
export class EndlessError extends Error {}
