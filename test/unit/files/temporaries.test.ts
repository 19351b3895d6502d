/** What killed processes have left of files that were to be replaced: which of it is seen, and which goes. */
import { existsSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, it } from 'vitest';
import { leftOverTemporaries, removeTemporaries, sweep, temporaryPath } from '../../../src/files/temporaries.ts';
import { testHost } from '../../fixtures/cli/here.ts';
import { replaceCall } from '../../fixtures/place/calls.ts';
import { temporaryFolder } from '../../fixtures/place/folder.ts';
import { GONE_PID } from '../../fixtures/process/pid.ts';

const DAY = 24 * 3_600_000;
const NOW = Date.parse('2026-06-01T12:00:00Z');

/** A folder with temporaries of `out.csv` and others, each as many milliseconds old as it says. */
function place(files: Readonly<Record<string, number>>) {
  const folder = temporaryFolder();
  for (const [name, ageMs] of Object.entries(files)) {
    const path = join(folder, name);
    writeFileSync(path, '');
    utimesSync(path, (NOW - ageMs) / 1_000, (NOW - ageMs) / 1_000);
  }
  return { folder, files: () => readdirSync(folder).sort() };
}

const host = testHost({ now: () => NOW });
const nameOf = (file: string, own = host) => basename(temporaryPath(join('/folder', file), own));
/** Of a process of this machine that is gone. */
const goneNameOf = (file: string) => nameOf(file).replace(`.${process.pid}-`, `.${GONE_PID}-`);
const elsewhere = testHost({ now: () => NOW, hostName: () => 'elsewhere' });

it.skipIf(!existsSync('/proc/self'))(
  'temporaries whose writers are gone are seen, of whatever file, and nothing else',
  () => {
    const names = {
      gone: goneNameOf('out.csv'),
      ofSettings: `${goneNameOf('config.json')}.tmp-0f3a`,
      running: nameOf('out.csv'),
      old: nameOf('out.csv', elsewhere),
      recent: nameOf('out.csv', elsewhere),
    };
    const { folder } = place({
      [names.gone]: 0,
      [names.ofSettings]: 0,
      [names.running]: 8 * DAY,
      [names.old]: 7 * DAY + 1_000,
      [names.recent]: 7 * DAY - 1_000,
      'out.csv': 8 * DAY,
      '.out.csv': 8 * DAY,
      '.out.csv.1-nonsense.tmp': 8 * DAY,
      [`x${names.gone}`]: 8 * DAY,
      [`${names.gone}.bak`]: 8 * DAY,
    });
    const seen = leftOverTemporaries(folder, host).map((path) => basename(path));
    expect(seen.sort()).toEqual([names.gone, names.ofSettings, names.old].sort());
    expect(leftOverTemporaries(join(folder, 'nowhere'), host)).toEqual([]);
  },
);

it.skipIf(!existsSync('/proc/self'))(
  'what another run tidies away at the same time is in the way of nothing else',
  () => {
    const [vanished, left] = [goneNameOf('out.csv'), goneNameOf('out.csv')];
    const { folder } = place({ [left]: 0 });
    replaceCall('readdirSync', (list) => (path) => [vanished, ...list(path)]);
    sweep(join(folder, 'out.csv'), { host, now: NOW });
    expect(existsSync(join(folder, left))).toBe(false);
  },
);

it('all temporary files of a file are removed with its lock, and none of another file', () => {
  const own = [nameOf('a.journal'), goneNameOf('a.journal'), nameOf('a.journal', elsewhere)];
  const kept = ['a.journal', goneNameOf('b.journal'), goneNameOf('a.journal.late-1'), '.a.journal.notes'];
  const { folder, files } = place(Object.fromEntries([...own, ...kept].map((name) => [name, 0])));
  removeTemporaries(join(folder, 'a.journal'));
  expect(files()).toEqual(kept.sort());
  removeTemporaries(join(folder, 'nowhere/a.journal'));
});

it('long names with the same beginning have different temporary files', () => {
  const start = (file: string) => nameOf(file).replace(/\.\d+-[0-9a-f]{8}\.[0-9a-f]{16}\.tmp$/, '');
  const long = 'x'.repeat(60);
  expect(start('x'.repeat(50))).toBe(`.${'x'.repeat(50)}`);
  expect(start(`${long}1`)).toMatch(/^\.x{33}~[0-9a-f]{16}$/);
  expect(start(`${long}1`)).not.toBe(start(`${long}2`));
  expect(nameOf('out.csv')).not.toBe(nameOf('out.csv'));
});
