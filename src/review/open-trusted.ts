/** Opens a kept review, if it is to be believed. */
import type { Context } from '../context.ts';
import { ListError } from '../errors.ts';
import { shownPath } from '../files/file-error.ts';
import type { PlainFile } from '../lists/plain-file.ts';
import type { KeptFile } from '../runs/keep-folder.ts';
import { openKept } from '../runs/kept-file.ts';

export interface TrustOptions {
  readonly context: Context;
  /** Whether files that other users own or can write are read, too, with a note. */
  readonly trustsAll?: boolean;
}

/** @throws ListError for a file that cannot be read, or is not to be believed */
export async function openTrusted(file: KeptFile, { context, trustsAll }: TrustOptions): Promise<PlainFile> {
  const { plain, distrust } = await openKept(file, context, context.uid);
  if (distrust === undefined) return plain;
  if (!trustsAll) {
    plain.close();
    throw new ListError(distrust);
  }
  context.report.info(`the kept review ${shownPath(file.path)}: ${distrust}`);
  return plain;
}
