/** Replaces a damaged journal by its whole records, after making a copy of it. */
import { type AtomicFile, type AtomicHost, createAtomicFile } from '../files/atomic-file.ts';
import { closeQuietly } from '../files/close-file.ts';
import { asFileError, shownPath } from '../files/file-error.ts';
import type { Lock } from '../files/lock.ts';
import { copyAside, MAKE_ROOM, NEWLINE } from './journal-file.ts';
import { eachRecord, headerLine } from './journal-records.ts';

interface Mending {
  readonly path: string;
  readonly host: AtomicHost;
  readonly lock: Lock;
  readonly signal?: AbortSignal | undefined;
}

/** Mends the journal that is open as `fd`, and closes it. @returns the path of the copy */
export async function mend(fd: number, options: Mending): Promise<string> {
  const { path } = options;
  try {
    // Closed before it is replaced, as Windows requires.
    const { aside, whole } = await asideAndWhole(fd, options).finally(() => closeQuietly(fd));
    await commitHeld(whole, options.lock);
    return aside;
  } catch (error) {
    throw asFileError(error, `the damaged journal ${shownPath(path)} cannot be repaired`, MAKE_ROOM);
  }
}

/** Puts a new journal in place, unless another run has taken over the old one. @throws LockedError */
export async function commitHeld(file: AtomicFile, lock: Lock): Promise<void> {
  try {
    lock.check(0);
    await file.commit();
  } finally {
    file.discard();
  }
}

async function asideAndWhole(fd: number, options: Mending) {
  return { aside: copyAside(options.path), whole: await wholeRecords(fd, options) };
}

/** The whole records of the journal in a new file, which is not yet in place. */
async function wholeRecords(fd: number, { path, host, signal }: Mending): Promise<AtomicFile> {
  const whole = createAtomicFile(path, { host });
  try {
    await eachRecord(fd, {
      path,
      signal,
      onHeader: (header) => void whole.write(headerLine(header)),
      onRecord({ bytes }) {
        whole.write(Buffer.concat([bytes, NEWLINE]));
      },
    });
    return whole;
  } catch (error) {
    whole.discard();
    throw error;
  }
}
