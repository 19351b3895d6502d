/** A journal in a process that ends when it likes. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openJournal, SANDBOX_BASE } from '../../../src/journal/journal.ts';
import { temporaryFolder } from '../../fixtures/place/folder.ts';
import { address } from '../../fixtures/place/wallets.ts';
import { writeScript } from '../../fixtures/process/script.ts';
import { isSlow } from '../../fixtures/sweep.ts';
import { host } from '../../unit/journal/journal-stage.ts';

/** Appends wallets for ever, and says which after each. */
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
  const journal = await openJournal({ path, base: 'sandbox', host: processHost() });
  const padding = 'x'.repeat(Number(size));
  for (let i = journal.size; ; i++) {
    const wallet = '0x' + i.toString(16).padStart(40, '0');
    const text = JSON.stringify({ wallet_address: wallet, total_collateral_usd: 1, padding });
    journal.append(wallet, { answeredAt: 1e12, text });
    say(i + '\\n');
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
    const journal = await openJournal({ path, base: SANDBOX_BASE, host });
    expect(journal.size).toBeGreaterThan(acknowledged);
    expect(journal.size).toBeLessThanOrEqual(acknowledged + 3);
    expect(journal.get(address(acknowledged))).toMatchObject({ answeredAt: 1e12 });
    journal.close();
  }
});
