/** What `riskcli doctor` can see as a process only: certificates that node is given, a folder that it may not write to. */
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { cli } from '../fixtures/cli/here.ts';
import { bareEnv, start } from '../fixtures/cli/process.ts';
import { canBeOtherUser, OTHER_USER } from '../fixtures/cli/users.ts';
import { configFolder, storedKeys } from '../fixtures/place/config-folder.ts';
import { temporaryFolder } from '../fixtures/place/folder.ts';
import { createAuthority } from '../fixtures/service/certificates.ts';
import { behindProxy, ELSEWHERE, startProxy } from '../fixtures/service/proxy.ts';
import { startServer } from '../fixtures/service/server.ts';

const BASE_URL = 'https://api.example.com';
const KEY = 'wrp_aB3dE5fG7hJ9kL1mN3';

/** Of the wallet that doctor asks for. */
const PROFILE = { wallet_address: `0x${'0'.repeat(40)}`, total_collateral_usd: 0, defi_score: {} };

interface Found {
  readonly check: string;
  readonly status: string;
  readonly finding: string;
  readonly remedy: string | null;
}

it('a certificate is shown with its expiry; an untrusted one fails', async () => {
  const authority = createAuthority();
  const env = bareEnv({ RISKCLI_API_KEY: KEY, HOME: temporaryFolder(), NODE_EXTRA_CA_CERTS: authority.file });
  const health = () => ({ status: 'ok', timestamp: new Date().toISOString() });
  const reply = ({ path }: { readonly path: string }) => ({ body: path === '/health' ? health() : PROFILE });
  await using ending = await startServer(reply, { tls: authority.issue('IP:127.0.0.1', 3) });
  await using strange = await startServer(reply, { tls: createAuthority().own });
  await using far = await startServer(reply, { tls: authority.issue(`DNS:${ELSEWHERE}`, 90) });
  // The proxy's own certificate is for another name, which does not matter.
  await using proxy = await startProxy({ tls: authority.own });
  const through = { HTTPS_PROXY: `https://${proxy.host}` };
  const online = (url: URL) => ['doctor', '--online', '--json', '--base-url', url.href];
  const trusting = (url: URL, variables = {}) =>
    start(online(url), { env: { ...env, ...variables }, cwd: env.HOME }).done;
  const outcomes = await Promise.all([
    trusting(ending.url),
    trusting(behindProxy(far.url), through),
    // This process does not trust test authorities.
    cli(online(strange.url), { env: { RISKCLI_API_KEY: KEY } }),
  ]);
  const [soon, tunnelled, bad] = outcomes.map(({ stdout, exitCode }) => {
    const findings: readonly Found[] = JSON.parse(stdout);
    return { exitCode, tls: findings.filter(({ check }) => check === 'tls') };
  });
  const shown = {
    status: 'ok',
    finding: expect.stringMatching(
      /^certificate of leaf, issued by riskcli test, valid until \d{4}-\d\d-\d\d \(\d+ days\)$/,
    ),
  };
  expect(tunnelled).toMatchObject({ exitCode: 0, tls: [shown] });
  expect(soon).toMatchObject({
    exitCode: 0,
    tls: [shown, { status: 'warn', finding: 'the certificate expires soon' }],
  });
  expect(bad).toMatchObject({
    exitCode: 6,
    tls: [{ status: 'fail', remedy: expect.stringContaining('NODE_EXTRA_CA_CERTS') }],
  });
});

it.skipIf(!canBeOtherUser())('a config folder that is read-only works, and is told', async () => {
  const folder = configFolder({ 'keys.json': storedKeys({ default: { key: KEY, base_url: BASE_URL } }) });
  chmodSync(folder.path, 0o555);
  chmodSync(folder.file('keys.json'), 0o644);
  const env = bareEnv({ ...folder.env, RISKCLI_BASE_URL: BASE_URL });
  const { stdout } = await start(['doctor', '--json'], { env, cwd: '/', ...OTHER_USER }).done;
  const findings: readonly Found[] = JSON.parse(stdout);
  expect(findings.find(({ check }) => check === 'config-folder')?.finding).toMatch(/, which is read-only$/);
  expect(readFileSync(folder.file('keys.json'), 'utf8')).toContain(KEY);
  writeFileSync(folder.file('keys.json'), '');
});
