/**
 * Whole runs against a service, or a proxy, that redirects, stalls or refuses: what all commands
 * make of it.
 */
import { expect, it } from 'vitest';
import { address, addresses } from '../../fixtures/place/wallets.ts';
import { ONE_LINE, workplace } from '../../fixtures/place/workplace.ts';
import { KEY, PROFILE, WALLET } from '../../fixtures/service/client.ts';
import { behindProxy, startProxy } from '../../fixtures/service/proxy.ts';
import { startServer } from '../../fixtures/service/server.ts';

/** All that talk to the service: one wallet, a list, a check of the key, health. */
const COMMANDS = [['profile', WALLET], ['profile', WALLET, address(1), '--csv'], ['keys', 'check'], ['health']];

const facing = (url: URL, env: Record<string, string> = {}) =>
  workplace({ RISKCLI_BASE_URL: url.href, RISKCLI_API_KEY: KEY, ...env });

it('follows no redirect with any command, and exits with 6', async () => {
  await using other = await startServer(() => ({ body: PROFILE }));
  const statuses = [301, 302, 303, 307, 308];
  await using server = await startServer(({ path }, count) => ({
    status: statuses[count % statuses.length],
    headers: { location: new URL(path, other.url).href },
  }));
  const { cli } = facing(server.url);
  for (const command of [...COMMANDS, ['profile', ...addresses(5)]]) {
    const { stderr, exitCode } = await cli(command);
    expect({ command, exitCode, stderr }).toEqual({ command, exitCode: 6, stderr: expect.stringMatching(ONE_LINE) });
  }
  expect(server.requests).toHaveLength(10);
  expect(other.connections()).toBe(0);
});

it('exits with 5 for a proxy that refuses, without its password', async () => {
  await using server = await startServer(() => ({ body: PROFILE }));
  await using proxy = await startProxy({ instead: 'HTTP/1.1 407 No\r\n\r\n' });
  const { cli } = facing(behindProxy(server.url), { ALL_PROXY: `http://user:s3cret%2Dp4ss@${proxy.host}` });
  for (const command of COMMANDS) {
    const { stderr, exitCode } = await cli([...command, '-v', '--debug', '--timeout', '5s'], { sleep: async () => {} });
    expect({ command, exitCode }).toEqual({ command, exitCode: 5 });
    expect(stderr).not.toMatch(/s3cret|p4ss/);
    expect(stderr).toContain('check the user name and password in the URL in ALL_PROXY');
  }
  expect(server.connections()).toBe(0);
});
