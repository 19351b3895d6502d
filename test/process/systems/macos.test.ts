/** What would go wrong on macOS, emulated on Linux by `fixtures/cli/macos.cjs`: the built binary runs on no macOS here. */
import { existsSync, readdirSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { start } from '../../fixtures/cli/process.ts';
import { emulated } from '../../fixtures/cli/systems.ts';
import { startListStage } from '../../fixtures/place/list-stage.ts';
import { address, addresses } from '../../fixtures/place/wallets.ts';
import { workplace } from '../../fixtures/place/workplace.ts';
import { KEY, PROFILE } from '../../fixtures/service/client.ts';
import { startServer } from '../../fixtures/service/server.ts';
import { isSlow } from '../../fixtures/sweep.ts';

const COUNT = 4;

describe('macOS, emulated', () => {
  it('a list redirected to /dev/stdin, which can be opened only once, is read twice', async () => {
    const { write, sh, server, ...place } = await startListStage();
    onTestFinished(() => place[Symbol.asyncDispose]());
    write('list.txt', `${addresses(COUNT).join('\n')}\n`);
    const ended = await sh('r profile -f /dev/stdin --jsonl < list.txt', { NODE_OPTIONS: emulated('macos') });
    expect(ended).toMatchObject({ exitCode: 0, stderr: '' });
    expect([ended.stdout.trimEnd().split('\n').length, server.requests.length]).toEqual([COUNT, COUNT]);
  });
});

// Both are systems without /proc; in test/slow both are tried.
describe.each((['macos', 'windows'] as const).slice(0, isSlow ? undefined : 1))(
  'a run on %s, emulated, that was killed',
  (system) => {
    it('is detected as gone at once: its lock is taken over, and nothing but its temporary file is left', async () => {
      let answersAfterMs = 600_000;
      await using server = await startServer(() => ({
        body: { ...PROFILE, wallet_address: address(1) },
        afterMs: answersAfterMs,
      }));
      const place = workplace({
        RISKCLI_BASE_URL: server.url.href,
        RISKCLI_API_KEY: KEY,
        NODE_OPTIONS: emulated(system),
      });
      place.write('list.txt', address(1));
      const command = ['profile', '-f', 'list.txt', '-o', 'out.jsonl'];
      const killed = start(command, { cwd: place.folder, env: place.env });
      await expect.poll(() => server.requests.length, { timeout: 50_000 }).toBe(1);
      expect(existsSync(place.path('out.jsonl.journal.lock'))).toBe(true);
      killed.child.kill('SIGKILL');
      await killed.done;
      answersAfterMs = 0;
      expect(await place.cli(command, { via: 'process' })).toMatchObject({ exitCode: 0, stderr: '' });
      const left = readdirSync(place.folder).sort();
      const temporary = left.filter((name) => /^\.out\.jsonl\.[0-9a-f]{16}\.tmp$/.test(name));
      expect(temporary.length).toBeLessThanOrEqual(1);
      expect(left.filter((name) => !temporary.includes(name))).toEqual(['home', 'list.txt', 'out.jsonl']);
    });
  },
);
