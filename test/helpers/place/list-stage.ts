/**
 * A workplace with a service that answers every wallet with a profile, but for one that it refuses. `riskcli` runs in this
 * process: what a list holds is the same to every process. `sh` runs the built binary.
 */

import { inside } from '../process/inside.ts';
import { KEY, PROFILE } from '../service/client.ts';
import { startServer } from '../service/server.ts';
import { address } from './wallets.ts';
import { workplace } from './workplace.ts';

export async function startListStage() {
  const refused = address(0xdead);
  const server = await startServer(({ path }) => {
    const wallet = decodeURIComponent(path.slice(path.lastIndexOf('/') + 1));
    if (wallet === refused) return { status: 404, body: { error: 'no such wallet' } };
    return {
      body: { ...PROFILE, wallet_address: wallet },
      headers: { 'x-ratelimit-limit': '400', 'x-ratelimit-remaining': '400' },
    };
  });
  const place = workplace({ RISKCLI_BASE_URL: server.url.href, RISKCLI_API_KEY: KEY });
  return { ...place, riskcli: inside(place), server, refused, [Symbol.asyncDispose]: () => server.close() };
}
