import { describe, expect, it } from 'vitest';
import type { RecordLocation } from '../../../src/files/record-file.ts';
import { openRecordFile } from '../../../src/files/record-file.ts';
import { testHost } from '../../fixtures/cli/here.ts';
import { ABSENT } from '../../fixtures/place/folder.ts';
import { anyText, fc, tries } from '../../fixtures/properties.ts';

const text = fc.oneof(
  anyText(),
  fc.integer({ min: 0, max: 600_000 }).map((length) => 'é'.repeat(length)),
  fc.integer({ min: 0, max: 40_000 }).map((length) => 'x'.repeat(length)),
);

describe('records on disk', () => {
  it('are read back in any order, while others are added', () => {
    const asked = fc.array(fc.tuple(text, fc.nat(), fc.boolean()), { maxLength: 20 });
    fc.assert(
      fc.property(asked, (steps) => {
        const file = openRecordFile(testHost());
        const kept: { readonly place: RecordLocation; readonly text: string }[] = [];
        try {
          for (const [added, pick, inOrder] of steps) {
            kept.push({ place: file.append(added), text: added });
            const some = inOrder ? kept : kept.slice(pick % kept.length, (pick % kept.length) + 1);
            for (const record of some) expect(file.read(record.place) === record.text).toBe(true);
          }
        } finally {
          file.close();
          file.close();
        }
      }),
      { numRuns: tries(5) },
    );
  });

  it('report the folder if there is no space', () => {
    expect(() => openRecordFile(testHost({ temporaryFolder: () => ABSENT }))).toThrow(
      expect.objectContaining({ exitCode: 8, hint: expect.stringContaining('TMPDIR') }),
    );
  });
});
