import { describe, expect, it } from 'vitest';
import { displayWidth } from '../../../src/text/width.ts';
import { joinWrapped, wrapped } from '../../../src/text/words.ts';

describe('words on lines', () => {
  it('count wide characters as two columns', () => {
    const names = Array.from({ length: 6 }, (_, i) => `山田商事株式会社 ${i}`);
    for (const lines of [wrapped(names.join(' '), 30), joinWrapped(names, 30)]) {
      expect(lines.length).toBeGreaterThan(4);
      for (const line of lines) expect(displayWidth(line), line).toBeLessThanOrEqual(30);
    }
  });
});
