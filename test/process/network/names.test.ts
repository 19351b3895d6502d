/** Lists whose service is a name, behind name servers that are slow or unreliable: the built binary and real look-ups. */
import { beforeAll, describe, expect, it } from 'vitest';
import { RISKCLI_WORDS } from '../../fixtures/cli/process.ts';
import { addresses } from '../../fixtures/place/wallets.ts';
import { workplace } from '../../fixtures/place/workplace.ts';
import { type Authority, type Certificate, createAuthority } from '../../fixtures/service/certificates.ts';
import { KEY, PROFILE } from '../../fixtures/service/client.ts';
import { canServeNames, type NameServerOptions, startNameServer } from '../../fixtures/service/name-server.ts';
import { startServer } from '../../fixtures/service/server.ts';
import { isSlow } from '../../fixtures/sweep.ts';

const NAME = 'riskcli-service.test';
let authority: Authority;
let tls: Certificate;
beforeAll(() => {
  authority = createAuthority();
  tls = authority.issue(`DNS:${NAME}`);
});

const WALLETS = 30;

describe.skipIf(!canServeNames)('[73] a name server', () => {
  const TROUBLES: readonly (readonly [string, number, NameServerOptions])[] = [
    // It fails as often as the system itself retries, and one address is dead.
    ['in trouble', 1, { addresses: ['127.0.0.99', '127.0.0.1'], latencyMs: 100, failures: 2 }],
    ['that takes 3 s', 2, { addresses: ['127.0.0.1'], latencyMs: 3_000 }],
  ];
  it.each(TROUBLES.slice(0, isSlow ? undefined : 1))(
    '%s costs a list no row: the name is looked up once',
    async (_, host, options) => {
      await using server = await startServer(
        ({ path }) => ({
          headers: { 'x-ratelimit-limit': '400', 'x-ratelimit-remaining': '400' },
          body: { ...PROFILE, wallet_address: path.slice(path.lastIndexOf('/') + 1) },
          afterMs: 1_000,
        }),
        { tls },
      );
      await using names = await startNameServer(host, options);
      const place = workplace({ RISKCLI_API_KEY: KEY, NODE_EXTRA_CA_CERTS: authority.file });
      place.write('list.txt', addresses(WALLETS).join('\n'));
      const riskcli = `${RISKCLI_WORDS} profile -f list.txt --csv`;
      const line = `${names.prefix}${riskcli} --base-url https://${NAME}:${server.url.port}`;
      const { exitCode, stdout, stderr } = await place.sh(line);
      expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
      expect(stdout.trimEnd().split('\n')).toHaveLength(1 + WALLETS);
      expect(server.requests).toHaveLength(WALLETS);
      expect(names.asked()).toBeLessThanOrEqual(3);
      expect(server.connections()).toBeGreaterThan(names.asked());
    },
  );
});
