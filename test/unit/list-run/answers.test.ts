import { describe, expect, it } from 'vitest';
import { journalPath } from '../../../src/list-run/answers.ts';

const pathFor = (output?: string, journal?: string) => journalPath({ output, journal });

describe('the journal beside an output', () => {
  it.each(['out.csv', '/srv/out.csv'])('is kept for %s', (output) => {
    expect(pathFor(output)).toBe(`${output}.journal`);
  });

  it.each([undefined, '-'])('does not exist for %s', (output) => {
    expect(pathFor(output)).toBeUndefined();
  });

  it.each(['out.csv', '-'])('for %s is the one named by --journal', (output) => {
    expect(pathFor(output, 'kept')).toBe('kept');
  });
});
