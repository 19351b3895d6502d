/**
 * What Windows denies while somebody has a file open, were it a virus scanner or an indexer that is done in a moment: to put
 * another file in its place, and to open or make one whose name is on its way out.
 */
import type { Host } from '../context.ts';
import { systemCode } from './file-error.ts';

/** Between the attempts, milliseconds: two seconds and a half in all. */
const PAUSES_MS = [10, 20, 40, 80, 160, 320, 640, 1280];
const DENIED = ['EPERM', 'EACCES', 'EBUSY'];

/** Calls `work`, on Windows again for a while when it was denied. @throws what `work` throws at last */
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

/** Whether the system has refused a call in the words in which Windows says that a file is in use. */
export function isDenied(error: unknown): boolean {
  const cause = error instanceof Error && systemCode(error.cause) !== undefined ? error.cause : error;
  return DENIED.includes(systemCode(cause) ?? '');
}
