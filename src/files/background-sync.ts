/**
 * Syncs a growing file about once a second in the background: a power cut loses no more than that.
 * After one failed sync no later one counts: the system may have dropped what it could not write.
 */
import { fdatasync } from 'node:fs';
import { promisify } from 'node:util';
import { cannotSync } from './file-error.ts';

/** How long an appended byte may wait for the sync, milliseconds. */
const DELAY_MS = 1_000;

const fdatasyncAsync = promisify(fdatasync);

export class BackgroundSync {
  /** The error of a sync that failed; undefined as long as none has. */
  fault: unknown;
  private isDirty = false;
  private isClosed = false;
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;

  constructor(private readonly fd: number) {}

  /** To be called when something was appended. */
  changed(): void {
    this.isDirty = true;
    this.arm();
  }

  /** Resolves when everything appended is on the disk, or a sync has failed: see `fault`. */
  async finish(): Promise<void> {
    await this.running;
    if (this.isDirty && !this.isClosed) await this.sync();
  }

  /** Stops the timer. */
  close(): void {
    this.isClosed = true;
    clearTimeout(this.timer);
  }

  private arm(): void {
    if (this.timer || this.running || this.isClosed) return;
    this.timer = setTimeout(() => void this.sync(), DELAY_MS).unref();
  }

  private sync(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.isDirty = false;
    this.running = fdatasyncAsync(this.fd)
      .catch((error: unknown) => {
        if (!this.isClosed && !cannotSync(error)) this.fault ??= error;
      })
      .finally(() => {
        this.running = undefined;
        if (this.isDirty) this.arm();
      });
    return this.running;
  }
}
