/** What somebody else has put in the way of a file that riskcli makes. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { BINARY } from '../../fixtures/cli/process.ts';
import { address } from '../../fixtures/place/wallets.ts';
import { workplace } from '../../fixtures/place/workplace.ts';
import { startSlowService } from '../../fixtures/service/slow-service.ts';

const KEY = 'sk_filestest0123456789';

it('follows no symbolic link at the predicted path of a temporary file', async () => {
  await using service = await startSlowService();
  const place = workplace({ RISKCLI_API_KEY: KEY, RISKCLI_BASE_URL: service.url });
  const env = { XDG_STATE_HOME: place.path('state') };
  expect(await place.cli(['profile', address(1)], { env })).toMatchObject({ exitCode: 0 });
  const state = place.path('state/riskcli');
  const limit = readdirSync(state).find((name) => name.startsWith('limit-')) ?? '';
  place.write('victim', 'precious');
  // The shell execs riskcli, so its process number is known before it starts.
  const planted = await place.sh(
    `ln -s "$PWD/victim" "state/riskcli/${limit}.$$.tmp"; exec ${process.execPath} "$BINARY" profile ${address(2)}`,
    { ...env, BINARY },
  );
  expect(planted).toMatchObject({ exitCode: 0, stderr: '' });
  expect(place.read('victim')).toBe('precious');
  expect(JSON.parse(readFileSync(join(state, limit), 'utf8'))).toMatchObject({ limit: 1000 });
});
