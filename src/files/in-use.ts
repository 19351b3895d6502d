/**
 * Windows denies replacing a file that another program has open, and opening one that is being
 * deleted. Often it is a virus scanner or an indexer, which is done in a moment, so such calls are
 * tried again.
 */
import type { Host } from '../context.ts';
import { systemCode } from './file-error.ts';

/** Pauses between the attempts, milliseconds: two and a half seconds in total. */
const PAUSES_MS = [10, 20, 40, 80, 160, 320, 640, 1280];
const DENIED = ['EPERM', 'EACCES', 'EBUSY'];

/** Calls `work`, on Windows repeatedly while it is denied. @throws what the last call throws */
export async function retryWhileInUse<T>(
  work: () => T | Promise<T>,
  { platform, sleep }: Pick<Host, 'platform' | 'sleep'>,
): Promise<T> {
  for (const pause of platform === 'win32' ? PAUSES_MS : []) {
    try {
      return await work();
    } catch (error) {
      if (!isDenied(error)) throw error;
    }
    await sleep(pause);
  }
  return work();
}

/** Whether `error` has one of the codes with which Windows says that a file is in use. */
export function isDenied(error: unknown): boolean {
  const cause = error instanceof Error && systemCode(error.cause) !== undefined ? error.cause : error;
  return DENIED.includes(systemCode(cause) ?? '');
}
