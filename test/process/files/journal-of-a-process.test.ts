/** A journal on a disk, and in a process, that end when they like. */
import { spawn } from 'node:child_process';
import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { openJournal, SANDBOX_BASE } from '../../../src/journal/journal.ts';
import { temporaryFolder } from '../../fixtures/place/folder.ts';
import { smallDisk } from '../../fixtures/place/small-disk.ts';
import { address } from '../../fixtures/place/wallets.ts';
import { writeScript } from '../../fixtures/process/script.ts';
import { isSlow } from '../../fixtures/sweep.ts';
import { answer, host, open } from '../../unit/journal/journal-stage.ts';

/** Appends wallets for ever, and says which after each; then its own error. */
const APPENDER = `
  import { writeSync } from 'node:fs';
  const say = (text) => {
    for (;;) {
      try {
        return writeSync(1, text);
      } catch (error) {
        if (error.code !== 'EAGAIN') throw error;
      }
    }
  };
  import { openJournal } from './src/journal/journal.ts';
  import { processHost } from './src/host/process-host.ts';
  const [path, size] = process.argv.slice(2);
  const journal = await openJournal(path, { base: 'sandbox', host: processHost() });
  const text = JSON.stringify({ padding: 'x'.repeat(Number(size)) });
  try {
    for (let i = journal.size; ; i++) {
      journal.append('0x' + i.toString(16).padStart(40, '0'), { answeredAt: 1e12, text });
      say(i + '\\n');
    }
  } catch (error) {
    writeSync(2, error.exitCode + ' ' + error.message);
    journal.close();
  }
`;

it('a journal keeps every record that was acknowledged before a kill -9', async () => {
  const folder = temporaryFolder();
  const script = join(folder, 'append.mjs');
  const path = join(folder, 'journal');
  writeScript(APPENDER, script);
  for (let round = 1; round <= (isSlow ? 4 : 2); round++) {
    const child = spawn(process.execPath, [script, path, '400'], { stdio: ['ignore', 'pipe', 'inherit'] });
    let said = '';
    child.stdout.setEncoding('utf8').on('data', (text) => {
      said += text;
      if (said.length > 700 * round) child.kill('SIGKILL');
    });
    await new Promise((resolve) => child.on('close', resolve));
    const acknowledged = Number(said.slice(0, said.lastIndexOf('\n')).split('\n').at(-1));
    const journal = await openJournal(path, { base: SANDBOX_BASE, host });
    expect(journal.size).toBeGreaterThan(acknowledged);
    expect(journal.size).toBeLessThanOrEqual(acknowledged + 3);
    expect(journal.get(address(acknowledged))).toMatchObject({ answeredAt: 1e12 });
    journal.close();
  }
});

it('a journal reports a file size limit, and continues when it is lifted', async () => {
  const folder = temporaryFolder();
  const script = join(folder, 'append.mjs');
  const path = join(folder, 'journal');
  writeScript(APPENDER, script);
  const child = spawn('bash', ['-c', 'ulimit -f 8; exec "$@"', 'bash', process.execPath, script, path, '300']);
  const [said, failed] = await Promise.all([text(child.stdout), text(child.stderr)]);
  expect(failed).toMatch(/^8 the journal .* cannot be written: the file size limit is reached \(ulimit -f\)$/);
  const written = said.trimEnd().split('\n').length;
  expect(written).toBeGreaterThan(10);
  const journal = await openJournal(path, { base: SANDBOX_BASE, host });
  expect(journal.size).toBe(written);
  expect(readFileSync(path).at(-1)).toBe(10);
  for (let i = written; i < 40; i++) journal.append(address(i), answer('{}'));
  journal.close();
  const again = await openJournal(path, { base: SANDBOX_BASE, host });
  expect(again.size).toBe(40);
  again.close();
});

it('a journal reports a full disk, and the file stays intact', async (test) => {
  const { folder } = smallDisk(64, test);
  const path = join(folder, 'journal');
  const journal = await open(path);
  const fill = () => {
    for (let i = 0; i < 1000; i++) journal.append(address(i), answer(`{"padding":"${'x'.repeat(500)}"}`));
  };
  expect(fill).toThrow('no space left on the device');
  const { size } = journal;
  journal.close();
  const copy = join(temporaryFolder(), 'copy');
  copyFileSync(path, copy);
  const again = await open(copy);
  expect(again.size).toBe(size);
  again.close();
});
