import { expect, it, onTestFinished } from 'vitest';
import { linesIn, openLineFile } from '../../../../src/files/lines/line-file.ts';
import { Sorter } from '../../../../src/files/lines/sorter.ts';
import { openRecordFile } from '../../../../src/files/records/record-file.ts';
import { openFiles, replaceCall } from '../../../fixtures/place/calls.ts';
import { temporaryFolder } from '../../../fixtures/place/folder.ts';

function place() {
  const folder = temporaryFolder();
  return { folder, host: { temporaryFolder: () => folder } };
}

it('lines are read in whole ones, however few bytes are asked for at once', async () => {
  const file = openLineFile(place().host);
  onTestFinished(file.close);
  const text = 'a\n\nsomewhat longer\nb\n';
  file.append(Buffer.from(text));
  for (const chunk of [1, 2, 3, 7, 100]) {
    const lines: string[] = [];
    for await (const bytes of file.read({ from: 0, to: file.size }, chunk)) {
      expect(bytes.length).toBeGreaterThan(0);
      lines.push(...linesIn(bytes));
    }
    expect(lines).toEqual(text.trimEnd().split('\n'));
  }
});

it('lines that the disk does not give back are told', async () => {
  const { folder, host } = place();
  // Nobody can read what is open for writing only.
  replaceCall('openSync', (real) => (path, flags, mode) => real(path, flags === 'wx+' ? 'wx' : flags, mode));
  const file = openLineFile(host);
  onTestFinished(file.close);
  file.append(Buffer.from('a\n'));
  await expect(file.read({ from: 0, to: 2 }).next()).rejects.toMatchObject({
    message: `the temporary file in ${folder} cannot be read: EBADF`,
    hint: 'run the same command again',
    isResumable: true,
  });
});

it('lines that are gone are told', async () => {
  const { folder, host } = place();
  const file = openLineFile(host);
  onTestFinished(file.close);
  file.append(Buffer.from('a\n'));
  await expect(file.read({ from: 2, to: 3 }).next()).rejects.toMatchObject({
    message: `the temporary file in ${folder} is shorter than it was`,
    hint: 'run the same command again',
    isResumable: true,
  });
});

it.skipIf(process.platform !== 'linux')(
  'lines that are sorted are on the disk when they are more than their room',
  () => {
    const { folder, host } = place();
    const filesFor = (room: number) => {
      const sorter = new Sorter<number>(host, { order: { compare: (a, b) => a - b }, room });
      for (let i = 0; i < 100; i++) sorter.add(i, () => 'x'.repeat(100));
      const { length } = openFiles(`${folder}/`);
      sorter.close();
      return length;
    };
    expect([filesFor(10_000), filesFor(100_000)]).toEqual([1, 0]);
    expect(openFiles(`${folder}/`)).toEqual([]);
  },
);

it('a file of records grows by what goes to the disk: nothing as long as it stays in memory', () => {
  const records = openRecordFile(place().host);
  onTestFinished(records.close);
  records.append('x'.repeat(1_000));
  expect([records.growth(1_000), records.growth(100_000), records.size]).toEqual([0, 101_000, 0]);
});
