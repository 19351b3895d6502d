import { expect, it } from 'vitest';
import { parseDocument } from '../../../src/document/parse.ts';
import { collectPaths } from '../../../src/paths/near-path.ts';

it('collects at most a thousand paths, however many keys there are', () => {
  const keys = (count: number) => parseDocument(`{${Array.from({ length: count }, (_, i) => `"k${i}":1`).join()}}`);
  const seen = new Set<string>();
  collectPaths(keys(999), seen);
  expect(seen.size).toBe(999);
  collectPaths(keys(5_000), seen);
  expect(seen.size).toBe(1_000);
});
