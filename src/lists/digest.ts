/** The hash of a list, computed from its bytes as they are read. */
import { createHash } from 'node:crypto';
import type { ListSource } from './source.ts';

export interface DigestedSource extends ListSource {
  /** The SHA-256 of its bytes, when it was read to its end. */
  sha256(): string | undefined;
}

export function withDigest(source: ListSource): DigestedSource {
  let sha256: string | undefined;
  return {
    ...source,
    async *read() {
      const digest = createHash('sha256');
      for await (const bytes of source.read()) {
        digest.update(bytes);
        yield bytes;
      }
      sha256 = digest.digest('hex');
    },
    sha256: () => sha256,
  };
}
