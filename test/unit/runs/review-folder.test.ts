import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { freeName, keptFiles } from '../../../src/runs/review-folder.ts';
import { temporaryFolder } from '../../fixtures/place/folder.ts';

it('names a review by its second, or by the next one that no review has, compressed or not', () => {
  const folder = temporaryFolder();
  const started = Date.parse('2026-12-31T23:59:58.500Z');
  expect(freeName(folder, started)).toBe('2026-12-31T235958Z.jsonl');
  for (const name of ['2026-12-31T235958Z.jsonl', '2026-12-31T235959Z.jsonl.gz', 'notes.txt'])
    writeFileSync(join(folder, name), '');
  expect(freeName(folder, started)).toBe('2027-01-01T000000Z.jsonl');
});

it('takes only a folder that does not exist for a list without history', () => {
  const place = temporaryFolder();
  symlinkSync('unmounted', join(place, 'linked.reviews'));
  expect(keptFiles(join(place, 'absent.reviews'))).toEqual([]);
  expect(() => keptFiles(join(place, 'linked.reviews'))).toThrow(/linked\.reviews' cannot be read: no such file/);
});
