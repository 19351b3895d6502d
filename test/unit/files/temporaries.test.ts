/** What killed runs have left of files that were to be replaced: which of it goes. */
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, it } from 'vitest';
import { removeTemporaries, temporaryPath } from '../../../src/files/temporaries.ts';
import { temporaryFolder } from '../../fixtures/place/folder.ts';

const nameOf = (file: string) => basename(temporaryPath(join('/folder', file)));

it('removes the temporary files of a file whose lock it holds, and nothing else', () => {
  const folder = temporaryFolder();
  const own = [nameOf('a.journal'), nameOf('a.journal'), `${nameOf('a.journal')}.tmp-0f3a`];
  const kept = [
    'a.journal',
    nameOf('b.journal'),
    nameOf('a.journal.x'),
    '.a.journal.notes',
    `${nameOf('a.journal')}.bak`,
  ];
  for (const name of [...own, ...kept]) writeFileSync(join(folder, name), '');
  const [link, inner] = [nameOf('a.journal'), nameOf('a.journal')];
  symlinkSync('a.journal', join(folder, link));
  mkdirSync(join(folder, inner));
  const other = (process.getuid?.() ?? 0) + 1;
  removeTemporaries(join(folder, 'a.journal'), other);
  expect(readdirSync(folder)).toHaveLength(own.length + kept.length + 2);
  removeTemporaries(join(folder, 'a.journal'), process.getuid?.());
  expect(readdirSync(folder).sort()).toEqual([...kept, link, inner].sort());
  removeTemporaries(join(folder, 'nowhere/a.journal'), undefined);
});

it('replaces a long name by a digest, so that the name of the temporary file is not too long', () => {
  const long = 'x'.repeat(60);
  const start = (file: string) => nameOf(file).replace(/\.[0-9a-f]{16}\.tmp$/, '');
  expect(start('x'.repeat(50))).toBe(`.${'x'.repeat(50)}`);
  expect(start(`${long}1`)).toMatch(/^\.[0-9a-f]{16}$/);
  expect(start(`${long}1`)).not.toBe(start(`${long}2`));
  expect(nameOf('out.csv')).not.toBe(nameOf('out.csv'));
});
