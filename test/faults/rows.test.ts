import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { ROWS } from './rows.ts';

const folder = fileURLToPath(new URL('..', import.meta.url));
const tests = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.test.ts'));
/** At the front of a title, in its quotes: `[61] `, `[39,40] in CSV is ...`. */
const TAG = /['"`]\[(\d+(?:,\d+)*)\] /g;
const provoked = new Set(
  tests.flatMap((name) =>
    [...readFileSync(join(folder, name), 'utf8').matchAll(TAG)].flatMap(([, rows = '']) => rows.split(',')),
  ),
);

describe('the faults that riskcli must stand', () => {
  it('are each provoked by a test that names their row', () => {
    expect(Object.entries(ROWS).filter(([row]) => !provoked.has(row))).toEqual([]);
  });

  it('are all that tests name', () => {
    expect([...provoked].filter((row) => !(row in ROWS))).toEqual([]);
  });
});
