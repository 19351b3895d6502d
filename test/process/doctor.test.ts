/** What `riskcli doctor` can see as a process only: certificates that node is given, a folder that it may not write to. */
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { cli } from '../fixtures/cli/here.ts';
import { bareEnv, start } from '../fixtures/cli/process.ts';
import { canBeOtherUser, OTHER_USER } from '../fixtures/cli/users.ts';
import { configFolder, storedKeys } from '../fixtures/place/config-folder.ts';
import { createAuthority } from '../fixtures/service/certificates.ts';
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

it('a certificate that is not trusted fails', async () => {
  await using strange = await startServer(() => ({ body: PROFILE }), { tls: createAuthority().own });
  const { stdout, exitCode } = await cli(['doctor', '--online', '--json', '--base-url', strange.url.href], {
    env: { RISKCLI_API_KEY: KEY },
  });
  const findings: readonly Found[] = JSON.parse(stdout);
  expect(exitCode).toBe(6);
  expect(findings.filter(({ status }) => status === 'fail')).toMatchObject([
    { check: 'tls', remedy: expect.stringContaining('NODE_EXTRA_CA_CERTS') },
  ]);
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
