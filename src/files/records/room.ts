/**
 * Reserves room on a disk before it is needed, so that the growth of a file is known to fit, even if others fill the disk. The
 * room is a file without a name, so that it is freed when the process ends, and the file that it is for holds only records. When
 * a write finds the disk full, as much as it needs is freed.
 */
import { randomFillSync } from 'node:crypto';
import { ftruncateSync, statfsSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { softLimit } from '../../host/soft-limit.ts';
import { type AtomicHost, openNameless } from '../atomic-file.ts';
import { closeQuietly } from '../close-file.ts';
import { isDiskFull } from '../file-error.ts';

/** Room is taken in multiples of this: a block of a file system. */
const STEP = 4_096;
/** Takes more than is needed now, so that a growing number of requests does not take room with each of them. */
const AHEAD = 1.5;
/** The most that is taken, in bytes: beyond that it is enough that the system reports it as free. */
const MAX_TAKEN = 32 * 1024 * 1024;

/** Room beside `path`, for the file there. None is taken at first, and none at all where no such file can be made. */
export class Room {
  private readonly maxSize = softLimit('Max file size');
  private fd: number | undefined;
  private noise: Buffer | undefined;
  private taken = 0;
  /** The least number of bytes that could not be had since the last write. */
  private refused = Number.POSITIVE_INFINITY;

  constructor(
    private readonly path: string,
    private readonly host: AtomicHost,
  ) {}

  /**
   * Makes sure that a file of `size` can grow by `growth` bytes, and other files on its disk by `besides`.
   * @returns why it cannot, as an error of the system; undefined when it can, as far as is known
   */
  refusal(growth: number, size: number, besides = 0): Error | undefined {
    if (size + growth > this.maxSize) return systemError('EFBIG');
    const bytes = growth + besides;
    if (bytes >= this.refused) return systemError('ENOSPC');
    const refusal = this.take(bytes) ?? this.refusalBeyond(bytes);
    if (refusal) this.refused = bytes;
    return refusal;
  }

  /** Calls `write`, which adds `bytes`, again with room freed when the disk is full. @throws what `write` throws */
  spend<T>(bytes: number, write: () => T): T {
    this.refused = Number.POSITIVE_INFINITY;
    for (let more = roundUp(bytes); ; more = STEP) {
      try {
        return write();
      } catch (error) {
        const cause = error instanceof Error && isDiskFull(error.cause) ? error.cause : error;
        if (!isDiskFull(cause) || this.taken === 0) throw error;
        // Then one block after another: the file system may need some for its own records.
        this.shrink(Math.max(0, this.taken - more));
      }
    }
  }

  /** Frees everything beyond `bytes` for another file on the disk. @returns false when there was nothing to free */
  release(bytes: number): boolean {
    const before = this.taken;
    this.shrink(roundUp(bytes));
    return this.taken < before;
  }

  /** Frees all of it; it can be taken again. */
  close(): void {
    closeQuietly(this.fd);
    this.fd = undefined;
    this.taken = 0;
  }

  /** Takes as much as is needed, and a little more if there is room. */
  private take(bytes: number): Error | undefined {
    const needed = roundUp(Math.min(bytes, MAX_TAKEN));
    const ample = Math.min(roundUp(needed * AHEAD), MAX_TAKEN);
    if (this.taken > 2 * ample) this.resize(ample);
    if (this.taken >= needed) return undefined;
    return this.resize(ample) && this.resize(needed);
  }

  /** Checks whether the system reports what exceeds MAX_TAKEN as free. */
  private refusalBeyond(bytes: number): Error | undefined {
    return bytes > MAX_TAKEN && isBeyond(this.path, bytes - this.taken) ? systemError('ENOSPC') : undefined;
  }

  private resize(bytes: number): Error | undefined {
    try {
      this.fd ??= openNameless(this.path, this.host);
    } catch {
      return undefined;
    }
    const before = this.taken;
    try {
      this.noise ??= randomFillSync(Buffer.allocUnsafeSlow(NOISE));
      while (this.taken < bytes) {
        this.taken += writeSync(this.fd, this.noise, 0, Math.min(NOISE, bytes - this.taken), this.taken);
      }
    } catch (error) {
      if (!isDiskFull(error)) return undefined;
      this.shrink(before);
      return error;
    }
    this.shrink(bytes);
    return undefined;
  }

  private shrink(bytes: number): void {
    if (this.fd === undefined || bytes >= this.taken) return;
    try {
      ftruncateSync(this.fd, bytes);
      this.taken = bytes;
    } catch {
      // Closing it frees all of it.
      this.close();
    }
  }
}

const roundUp = (bytes: number) => Math.ceil(bytes / STEP) * STEP;

const systemError = (code: string) => Object.assign(new Error(code), { code });

/** Whether the disk has less than `bytes` free, for users who are not root. */
function isBeyond(path: string, bytes: number): boolean {
  try {
    const { bavail, bsize } = statfsSync(dirname(path));
    return bavail * bsize < bytes;
  } catch {
    return false;
  }
}

/** Bytes of random content written at once: a file system that compresses or deduplicates cannot shrink them. */
const NOISE = 128 * 1024;
