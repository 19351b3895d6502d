/**
 * Brings a file that grows to the disk about once a second, beside the run: a power cut takes no more than that. A sync
 * that fails is the last one: the system then forgets what it could not write, so nothing after it can be believed.
 */
import { fdatasync } from 'node:fs';
import { promisify } from 'node:util';
import { cannotSync } from './file-error.ts';

export interface Syncing {
  /** What the disk has against it; undefined as long as all is well. */
  readonly fault: unknown;
  /** Something was appended. */
  changed(): void;
  /** Resolves when everything that was appended is on the disk, or a sync has failed: see `fault`. */
  finish(): Promise<void>;
  /** Forgets the timer. */
  close(): void;
}

/** How long a byte may wait for its way to the disk, milliseconds. */
const DELAY_MS = 1_000;

const fdatasyncAsync = promisify(fdatasync);

export function createSyncing(fd: number): Syncing {
  let fault: unknown;
  let isDirty = false;
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;

  function arm(): void {
    if (!timer && !running && !isClosed) timer = setTimeout(() => void sync(), DELAY_MS).unref();
  }

  function sync(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    isDirty = false;
    running = fdatasyncAsync(fd)
      .catch((error: unknown) => {
        if (!isClosed && !cannotSync(error)) fault ??= error;
      })
      .finally(() => {
        running = undefined;
        if (isDirty) arm();
      });
    return running;
  }

  return {
    get fault() {
      return fault;
    },
    changed() {
      isDirty = true;
      arm();
    },
    async finish() {
      await running;
      if (isDirty && !isClosed) await sync();
    },
    close() {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}
