import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { expect, it } from 'vitest';
import { removeRecords } from '../../../src/journal/prune.ts';
import { failCall, openFiles } from '../../fixtures/place/calls.ts';
import { host, journalOf } from './journal-stage.ts';

it('leaves a journal that cannot be replaced, and gives a hint', async () => {
  const path = await journalOf(2);
  const before = readFileSync(path);
  failCall('renameSync', 'EROFS', (_, to) => to === path);
  await expect(removeRecords({ olderThan: Date.now() }, { path, host })).rejects.toMatchObject({
    exitCode: 8,
    message: `the journal '${path}' cannot be replaced: the file system is read-only`,
    hint: expect.stringContaining('it is unchanged'),
    isResumable: true,
  });
  expect(readFileSync(path)).toEqual(before);
});

it('does not rewrite a journal without anything to remove', async () => {
  const path = await journalOf(2);
  const { ino, mtimeMs } = statSync(path);
  expect(await removeRecords({}, { path, host })).toMatchObject({ recordsRemoved: 0 });
  expect(statSync(path)).toMatchObject({ ino, mtimeMs });
  expect([readdirSync(dirname(path)), openFiles(`${dirname(path)}/`)]).toEqual([[basename(path)], []]);
});
