/** Calls by which a list makes and replaces its files fail once. test/slow has every call, every place and more commands. */
import { readdirSync, rmSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { RISKCLI_WORDS } from '../../fixtures/cli/process.ts';
import { address } from '../../fixtures/place/wallets.ts';
import { ONE_LINE, workplace } from '../../fixtures/place/workplace.ts';
import { failing, hasStrace, placesIn } from '../../fixtures/process/failing-calls.ts';
import { startSlowService } from '../../fixtures/service/slow-service.ts';

const CALLS = ['close', 'rename', 'fsync'];

describe.skipIf(!hasStrace)('a call that fails once', () => {
  it('[67,8] in a list exits with 8 and one line, or has no effect; nothing is paid twice', async () => {
    await using service = await startSlowService();
    const place = workplace({ RISKCLI_API_KEY: 'sk_callstest0123456789', RISKCLI_BASE_URL: service.url });
    place.write('list', Array.from({ length: 5 }, (_, i) => address(i)).join('\n'));
    const args = `profile -f list -o ${place.path('out.csv')}`;
    const run = async (prefix: string) => {
      for (const name of ['out.csv', 'out.csv.journal']) rmSync(place.path(name), { recursive: true, force: true });
      place.write('out.csv', 'old');
      return place.sh(`exec ${prefix} ${RISKCLI_WORDS} ${args}`);
    };
    const everywhere = await placesIn(place.folder, { calls: CALLS, run });
    const places = CALLS.map((call) => everywhere.findLast((each) => each.call === call) ?? expect.fail(call));
    const before = service.requests();
    let missed = 0;
    for (const [i, failed] of places.entries()) {
      const error = i % 2 === 0 ? 'ENOENT' : 'EIO';
      const injected = failing(failed, { error, folder: place.folder });
      const { exitCode, stderr, stdout } = await run(injected.prefix);
      const hit = injected.hit();
      if (hit === undefined) {
        missed += 1;
        continue;
      }
      const seen = { failed, hit, error, exitCode, stderr, stdout };
      const rows = place.read('out.csv').trimEnd().split('\n').length - 1;
      if (exitCode !== 0) expect(stderr, JSON.stringify(seen)).toMatch(ONE_LINE);
      expect({ ...seen, rows }).toMatchObject(exitCode === 0 ? { rows: 5, stderr: '' } : { exitCode: 8 });
      expect({ ...seen, left: readdirSync(place.folder).filter((name) => name.startsWith('.out')) }).toMatchObject({
        left: [],
      });
    }
    expect(missed).toBeLessThan(places.length / 2);
    expect(service.requests() - before).toBeLessThanOrEqual(5 * places.length);
  });
});
