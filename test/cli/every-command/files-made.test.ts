/** How files are made: where somebody else has put something in the way, and whose they are afterwards. */
import { chmodSync, chownSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { address } from '../../fixtures/place/wallets.ts';
import { workplace } from '../../fixtures/place/workplace.ts';
import { startSlowService } from '../../fixtures/service/slow-service.ts';

const KEY = 'sk_filestest0123456789';

describe('a symbolic link planted at the path of a riskcli file', () => {
  it('[66] next to a new lock or journal is refused, never followed', async () => {
    await using service = await startSlowService();
    const place = workplace({ RISKCLI_API_KEY: KEY, RISKCLI_BASE_URL: service.url });
    place.write('list', `${address(1)}\n${address(2)}\n`);
    place.write('victim', 'precious');
    for (const name of ['out.csv.journal', 'out.csv.journal.lock', 'out.csv']) {
      symlinkSync(place.path('victim'), place.path(name));
      const refused = await place.cli(['profile', '-f', 'list', '-o', 'out.csv']);
      expect({ name, exitCode: refused.exitCode, victim: place.read('victim') }).toEqual({
        name,
        exitCode: 8,
        victim: 'precious',
      });
      rmSync(place.path(name));
    }
    expect(service.requests()).toBe(0);
  });
});

describe.skipIf(process.getuid?.() !== 0)('a file that is replaced', () => {
  it('[7] by -o keeps its mode and its owner', async () => {
    await using service = await startSlowService();
    const place = workplace({ RISKCLI_API_KEY: KEY, RISKCLI_BASE_URL: service.url });
    place.write('list', `${address(1)}\n${address(2)}\n`);
    for (const [args, name] of [
      [['profile', '-f', 'list'], 'out.csv'],
      [['profile', address(1), '--json'], 'one.json'],
    ] as const) {
      const path = place.write(name, 'old');
      chmodSync(path, 0o640);
      chownSync(path, 4321, 1234);
      await place.cli([...args, '-o', name]);
      const { uid, gid, mode } = statSync(path);
      expect({ name, uid, gid, mode: mode & 0o777 }).toEqual({ name, uid: 4321, gid: 1234, mode: 0o640 });
      expect(place.read(name)).not.toBe('old');
    }
  });

  it('[7] by keys set keeps its owner', async () => {
    const place = workplace();
    const env = { RISKCLI_CONFIG_DIR: place.path('home') };
    const set = () => place.cli(['keys', 'set', '--base-url', 'https://api.example.com'], { env, stdin: KEY });
    expect(await set()).toMatchObject({ exitCode: 0 });
    chownSync(place.path('home/keys.json'), 0, 1234);
    expect(await set()).toMatchObject({ exitCode: 0 });
    const { uid, gid, mode } = statSync(place.path('home/keys.json'));
    expect([uid, gid, mode & 0o777]).toEqual([0, 1234, 0o600]);
    expect(readdirSync(place.path('home'))).toEqual(['keys.json']);
    const left = place.path('home/.keys.json.0123456789abcdef.tmp');
    for (const path of [left, `${left}.tmp-1234567890abcdef`]) writeFileSync(path, 'left');
    expect(await set()).toMatchObject({ exitCode: 0 });
    expect(readdirSync(place.path('home'))).toEqual(['keys.json']);
  });
});
