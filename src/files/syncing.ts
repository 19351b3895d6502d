/**
 * Brings a file that grows to the disk about once a second, beside the run: a power cut takes no more than that. A sync
 * that fails is the last one: the system then forgets what it could not write, so nothing after it can be believed.
 */
import { fdatasync } from 'node:fs';
import { promisify } from 'node:util';
import { cannotSync } from './file-error.ts';

/** How long a byte may wait for its way to the disk, milliseconds. */
const DELAY_MS = 1_000;

const fdatasyncAsync = promisify(fdatasync);

export class Syncing {
  private failure: unknown;
  private isDirty = false;
  private isClosed = false;
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;

  constructor(private readonly fd: number) {}

  /** What the disk has against it; undefined as long as all is well. */
  get fault(): unknown {
    return this.failure;
  }

  /** Something was appended. */
  changed(): void {
    this.isDirty = true;
    this.arm();
  }

  /** Resolves when everything that was appended is on the disk, or a sync has failed: see `fault`. */
  async finish(): Promise<void> {
    await this.running;
    if (this.isDirty && !this.isClosed) await this.sync();
  }

  /** Forgets the timer. */
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
        if (!this.isClosed && !cannotSync(error)) this.failure ??= error;
      })
      .finally(() => {
        this.running = undefined;
        if (this.isDirty) this.arm();
      });
    return this.running;
  }
}
