/**
 * Room on a disk that is taken before it is needed: what a file is going to grow by is known to fit, whoever fills the disk
 * meanwhile. It lies in a file of its own that no name leads to, so that it is gone with the process, whatever ends it, and the
 * file it is for holds nothing but its records. When a write finds the disk full, as much as it needs is let go.
 */
import { randomFillSync } from 'node:crypto';
import { ftruncateSync, statfsSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { softLimit } from '../../host/soft-limit.ts';
import { type AtomicHost, openNameless } from '../atomic-file.ts';
import { closeQuietly } from '../close-file.ts';
import { isDiskFull } from '../file-error.ts';

/** So much is taken at once: what a block of a file may need. */
const STEP = 4_096;
/** More than is asked for now, so that a run whose requests become more does not take room with each of them. */
const AHEAD = 1.5;
/** No more is taken, in bytes: of what is needed besides, it is enough that the system calls it free. */
const MAX_TAKEN = 32 * 1024 * 1024;

/** Room beside `path`, for the file there. None is taken yet, and none ever where no such file can be made. */
export class Room {
  private readonly maxSize = softLimit('Max file size');
  private fd: number | undefined;
  private noise: Buffer | undefined;
  private taken = 0;
  /** What could not be had since the last write. */
  private refused = Number.POSITIVE_INFINITY;

  constructor(
    private readonly path: string,
    private readonly host: AtomicHost,
  ) {}

  /**
   * Sees to it that a file of `size` can grow by so many bytes, and others on its disk by as much as `besides`.
   * @returns why it cannot, as the system would say it; undefined when it can, as far as is known
   */
  refusal(growth: number, size: number, besides = 0): Error | undefined {
    if (size + growth > this.maxSize) return systemError('EFBIG');
    const bytes = growth + besides;
    if (bytes >= this.refused) return systemError('ENOSPC');
    const refusal = this.take(bytes) ?? this.refusalBeyond(bytes);
    if (refusal) this.refused = bytes;
    return refusal;
  }

  /** Calls `write`, which adds so many `bytes` and can be called again, with room let go when the disk is full. @throws what `write` throws */
  spend<T>(bytes: number, write: () => T): T {
    this.refused = Number.POSITIVE_INFINITY;
    for (let more = roundUp(bytes); ; more = STEP) {
      try {
        return write();
      } catch (error) {
        const cause = error instanceof Error && isDiskFull(error.cause) ? error.cause : error;
        if (!isDiskFull(cause) || this.taken === 0) throw error;
        // Then a block after the other: the file system may need some to say where the record is.
        this.shrink(Math.max(0, this.taken - more));
      }
    }
  }

  /** Frees all beyond `bytes` for another file on the disk. @returns whether that was more than nothing */
  release(bytes: number): boolean {
    const before = this.taken;
    this.shrink(roundUp(bytes));
    return this.taken < before;
  }

  /** Lets all of it go; it can be taken again. */
  close(): void {
    closeQuietly(this.fd);
    this.fd = undefined;
    this.taken = 0;
  }

  /** Takes as much as is needed, and somewhat more if there is as much. */
  private take(bytes: number): Error | undefined {
    const needed = roundUp(Math.min(bytes, MAX_TAKEN));
    const ample = Math.min(roundUp(needed * AHEAD), MAX_TAKEN);
    if (this.taken > 2 * ample) this.resize(ample);
    if (this.taken >= needed) return undefined;
    return this.resize(ample) && this.resize(needed);
  }

  /** Of what is more than may be taken, whether the system calls it free. */
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
      // Closing it lets all of it go.
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

/** What is written there, so many bytes at once: a file system that packs or compares what it stores cannot make them smaller. */
const NOISE = 128 * 1024;
