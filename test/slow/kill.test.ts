/** A long list under kill -9, again and again: nothing may be lost, doubled or paid for twice beyond what was in flight. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { bareEnv, start } from '../helpers/binary.ts';
import { temporaryFolder } from '../helpers/folder.ts';
import { startSlowService } from '../helpers/slow-service.ts';
import { address } from '../helpers/wallets.ts';

const KILLS = 200;
const ROWS = 4000;
const CONCURRENCY = 30;

/** A different life for each process, the same ones in each run of the test: 0 to 999 ms (Park and Miller). */
function* lifetimes(): Generator<number, never> {
  for (let state = 20_250_131; ; ) {
    state = (state * 48_271) % 2_147_483_647;
    yield state % 1000;
  }
}

/** Every third row repeats a wallet of an earlier one, near or far. */
const wallets = Array.from({ length: ROWS }, (_, i) => address(i % 3 === 2 ? Math.floor((i * 7) / 11) : i));
const distinct = new Set(wallets).size;

it(`survives ${KILLS} kills at random points`, async () => {
  await using service = await startSlowService({ latency: (nth) => nth % 40, padding: 500 });
  const lives = lifetimes();
  let kills = 0;
  let lists = 0;
  while (kills < KILLS) {
    const folder = temporaryFolder();
    const output = join(folder, 'scored.jsonl');
    writeFileSync(join(folder, 'wallets.txt'), wallets.join('\n'));
    const run = () =>
      start(['profile', '-f', join(folder, 'wallets.txt'), '-o', output, '--concurrency', String(CONCURRENCY)], {
        env: bareEnv({ HOME: folder, RISKCLI_API_KEY: 'sk_killtest0123456789', RISKCLI_BASE_URL: service.url }),
      });
    const killsBefore = kills;
    const requestsBefore = service.requests();
    for (;;) {
      const process = run();
      const timer = kills < KILLS && setTimeout(() => process.child.kill('SIGKILL'), lives.next().value);
      const end = await process.done;
      clearTimeout(timer || undefined);
      if (end.signal === 'SIGKILL') kills += 1;
      else expect(end).toMatchObject({ exitCode: 0 });
      // A kill may also hit a process that has done all its work and is about to end.
      if (existsSync(output) && !existsSync(`${output}.journal`)) break;
    }
    lists += 1;
    const rows = readFileSync(output, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(rows.map((row) => row.wallet_address)).toEqual(wallets);
    expect(rows.every((row, i) => row._meta.status === 'scored' && row._meta.line === i + 1)).toBe(true);
    const repeated = service.requests() - requestsBefore - distinct;
    expect(repeated).toBeLessThanOrEqual((kills - killsBefore) * CONCURRENCY);
    expect(repeated).toBeGreaterThanOrEqual(0);
    expect(readdirSync(folder)).not.toContain('scored.jsonl.journal');
  }
  expect(lists).toBeGreaterThan(0);
});
