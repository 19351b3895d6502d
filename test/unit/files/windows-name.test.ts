import { describe, expect, it } from 'vitest';
import { refuseWindowsFolder, refuseWindowsName } from '../../../src/files/windows-name.ts';

const WINDOWS = { platform: 'win32' };
const PLACES = ['', './', 'C:', 'C:\\results\\', '/srv/results/'];

describe('on Windows', () => {
  it.each([
    ...['NUL', 'nul.csv', 'Con', 'COM1.jsonl', 'lpt9', 'aux.tar.gz', 'prn.', 'con:'],
    ...['CONIN$', 'conout$.csv', 'NUL .csv', 'nul  ', 'COM¹', 'lpt³.csv', 'COM0'],
  ])('[96] %j is a device in every folder', (name) => {
    for (const place of PLACES)
      expect(() => refuseWindowsName(place + name, WINDOWS)).toThrow('has the name of a device');
  });

  it.each([
    ...['2030-01-31T09:00.csv', 'what?.csv', '*.csv', 'a|b', '<x>', 'say "no".csv', 'tab\t.csv', 'out.csv:stream'],
    ...['trail.', 'trail ', 'trail.csv..', 'trail. .'],
  ])('[96] %j is no name of a file', (name) => {
    for (const place of PLACES)
      expect(() => refuseWindowsName(place + name, WINDOWS)).toThrow(/cannot be|which no file name/);
  });

  it.each([
    'null.csv',
    'com.csv',
    'console',
    'COM10',
    'contacts.csv',
    ' lead.csv',
    'a.nul',
    'conin$x',
    '-',
    '.',
    '..',
    'a b.c d',
  ])('%j is a name like any other', (name) => {
    for (const place of PLACES) expect(() => refuseWindowsName(place + name, WINDOWS)).not.toThrow();
  });

  it.each(['C:\\con\\riskcli', 'C:\\a.\\riskcli', '\\\\host\\share\\nul', '/srv/a /b', 'D:/x/lpt1'])(
    '[96] the folder %j cannot be made',
    (path) => {
      expect(() => refuseWindowsFolder(path, WINDOWS)).toThrow();
      expect(() => refuseWindowsFolder(path, { platform: 'linux' })).not.toThrow();
    },
  );

  it.each(['C:\\Users\\me\\AppData\\Roaming\\riskcli', '\\\\host\\share\\x', '/tmp/riskcli', 'C:\\a\\..\\b\\.\\'])(
    'the folder %j can',
    (path) => {
      expect(() => refuseWindowsFolder(path, WINDOWS)).not.toThrow();
    },
  );
});

it.each([
  [
    'NUL',
    'has the name of a device',
    'choose another name; where nothing is to be kept, redirect standard output to NUL',
  ],
  [
    'a|b',
    'cannot be the name of a file on Windows',
    'leave out < > : " | ? * and control characters, as in 2030-01-31T0900.csv',
  ],
  ['a.', 'ends with a dot or a space, which no file name on Windows can', 'remove what it ends with'],
])('what is wrong with %j on Windows is told, and what helps', (name, message, hint) => {
  const told = { exitCode: 8, message: `'${name}' ${message}`, hint };
  expect(() => refuseWindowsName(name, WINDOWS)).toThrow(expect.objectContaining(told));
});

it('other systems take any of these names', () => {
  for (const name of ['NUL', 'trail.', 'a:b'])
    expect(() => refuseWindowsName(name, { platform: 'darwin' })).not.toThrow();
});
