import { describe, expect, it } from 'vitest';
import { flagsOf } from '../../../src/cli/flag.ts';
import { keyFlags, serviceFlags } from '../../../src/commands/flags.ts';
import { SETTINGS, type Setting } from '../../../src/settings/table.ts';
import { PARSERS } from '../../../src/settings/values.ts';

const rows: readonly Setting[] = SETTINGS;

describe('the table of settings', () => {
  it('names options that exist', () => {
    const flags = flagsOf({ ...serviceFlags, ...keyFlags }).map(({ long }) => long);
    for (const { flag } of rows) if (flag) expect(flags).toContain(flag);
  });

  it('has defaults that its parsers accept', () => {
    for (const { name, fallback } of SETTINGS as readonly (Setting & { name: keyof typeof PARSERS })[]) {
      if (fallback) expect(() => PARSERS[name](fallback, name)).not.toThrow();
    }
  });
});
