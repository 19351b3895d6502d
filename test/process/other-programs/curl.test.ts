/** `--curl`: a line that asks for what riskcli would ask for, run here by bash and curl against a server on loopback. */
import { copyFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cli } from '../../fixtures/cli/here.ts';
import { bareEnv, runLine } from '../../fixtures/cli/process.ts';
import { temporaryFolder } from '../../fixtures/place/folder.ts';
import { installed } from '../../fixtures/process/installed.ts';
import { createAuthority } from '../../fixtures/service/certificates.ts';
import { PROFILE } from '../../fixtures/service/client.ts';
import { startServer, type TestServer } from '../../fixtures/service/server.ts';

const KEY = 'wrp_q7Zt-Xk_2Lm9Rv4Bn8';
const WALLET = PROFILE.wallet_address;

const serve = (options?: Parameters<typeof startServer>[1]) =>
  startServer(
    ({ path }) => ({
      body: path.endsWith('/health')
        ? { status: 'ok', timestamp: new Date().toISOString() }
        : { ...PROFILE, wallet_address: path.split('/').at(-1) },
    }),
    options,
  );

/** What bash makes of `line`; curl reads no settings of the developer's. */
async function bash(line: string, env: Record<string, string>): Promise<string> {
  return (await runLine(line, { env: bareEnv({ HOME: '/nonexistent', ...env }) })).stdout;
}

/** What a request says, but for the connection, which is undici's or curl's own business. */
const saidIn = ({ requests }: TestServer) =>
  requests.map(({ method, path, headers: { connection: _, ...headers } }) => ({ method, path, headers }));

describe.skipIf(!installed('curl'))('the line, run by bash', () => {
  it.each([
    ['profile', ['profile', WALLET], {}],
    ['profile, key as bearer', ['profile', WALLET, '--auth', 'bearer'], {}],
    ['health', ['health'], {}],
    ['health, proxies set that are not for loopback', ['health'], { http_proxy: 'http://127.0.0.1:9' }],
  ])('asks as riskcli does: %s', async (_, args, more) => {
    await using server = await serve();
    const env = { RISKCLI_API_KEY: KEY, RISKCLI_BASE_URL: server.url.href, ...more };
    const printed = await cli([...args, '--curl'], { env });
    expect({ ...printed, connections: server.connections() }).toMatchObject({
      exitCode: 0,
      stderr: '',
      connections: 0,
    });
    expect(printed.stdout).toMatch(/^curl [^\n]+\n$/);
    expect(printed.stdout).not.toContain(KEY);
    const answer = await bash(printed.stdout, env);
    expect(JSON.parse(answer)).toMatchObject(args[0] === 'health' ? { status: 'ok' } : { wallet_address: WALLET });
    expect((await cli(args, { env })).exitCode).toBe(0);
    const [byCurl, byRiskcli] = saidIn(server);
    expect(byCurl).toEqual(byRiskcli);
  });

  it('sends an address unchanged, even if a shell or curl would interpret it', async () => {
    await using server = await serve();
    const folder = temporaryFolder();
    const base = `${server.url.origin}/it's/$(touch%20${folder}/evil)/[a-c]/{x,y}/\`id\``;
    const env = { RISKCLI_API_KEY: KEY, RISKCLI_BASE_URL: base };
    const { stdout } = await cli(['profile', WALLET, '--curl'], { env });
    await bash(stdout, env);
    await cli(['profile', WALLET], { env });
    const [byCurl, byRiskcli, ...more] = saidIn(server);
    expect(byCurl?.path).toContain('touch');
    expect({ byCurl, more }).toEqual({ byCurl: byRiskcli, more: [] });
    expect(existsSync(join(folder, 'evil'))).toBe(false);
  });

  it('trusts what riskcli trusts', async () => {
    const authority = createAuthority();
    await using server = await serve({ tls: authority.issue('IP:127.0.0.1') });
    const file = join(temporaryFolder(), "my team's ca.pem");
    copyFileSync(authority.file, file);
    const env = { RISKCLI_API_KEY: KEY, RISKCLI_BASE_URL: server.url.href, NODE_EXTRA_CA_CERTS: file };
    const { stdout } = await cli(['profile', WALLET, '--curl'], { env });
    expect(JSON.parse(await bash(stdout, { RISKCLI_API_KEY: KEY }))).toMatchObject({ wallet_address: WALLET });
  });
});

describe('the line', () => {
  const BASE = { RISKCLI_BASE_URL: 'https://api.example.com' };

  it('names a proxy by its variable, which may contain a password', async () => {
    const env = { ...BASE, HTTPS_PROXY: 'http://user:hunter22@proxy.example:3128' };
    const { stdout } = await cli(['profile', WALLET, '--curl'], { env });
    expect(stdout).toContain(' --proxy "$HTTPS_PROXY" ');
    expect(stdout).not.toContain('hunter');
    const exempt = await cli(['profile', WALLET, '--curl'], { env: { ...env, NO_PROXY: 'example.com' } });
    expect(exempt.stdout).toContain(" --noproxy '*' ");
  });

  it('needs no key, and contains none', async () => {
    const { stdout, exitCode } = await cli(['profile', WALLET, '--curl'], { env: BASE });
    expect(exitCode).toBe(0);
    expect(stdout.trimEnd()).toMatch(
      / -H @- https:\/\/api\.example\.com\/v1\/risk-profile\/0x\w{40} <<< "x-api-key: \$RISKCLI_API_KEY"$/,
    );
  });

  it.each([
    ['a list', ['profile', WALLET, WALLET], 'one wallet'],
    ['no wallet', ['profile', 'nonsense'], 'not a wallet'],
    ['a gate', ['profile', WALLET, '--fail-if', '_meta.score < 1'], '--fail-if'],
    ['a file', ['profile', WALLET, '-o', 'out.json'], '--output'],
    ['a format', ['health', '--json'], '--json'],
    ['the sandbox', ['profile', WALLET, '--sandbox'], '--sandbox'],
    ['a wait', ['health', '--wait', '5s'], '--wait'],
  ])('is refused for %s', async (_, args, why) => {
    const { stdout, stderr, exitCode } = await cli([...args, '--curl'], { env: BASE });
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 });
    expect(stderr).toContain(why);
  });
});

describe('the line on Windows, for PowerShell', () => {
  it.each([
    [
      ['profile', WALLET],
      `"x-api-key: $env:RISKCLI_API_KEY" | curl.exe "--http1.1" HEADERS --proxy $env:HTTPS_PROXY -H "@-" https://api.example.com/v1/risk-profile/${WALLET}\n`,
    ],
    [['health'], 'curl.exe "--http1.1" HEADERS --proxy $env:HTTPS_PROXY https://api.example.com/health\n'],
  ])('of %j gives curl.exe the key on stdin', async (argv, line) => {
    const env = {
      RISKCLI_BASE_URL: 'https://api.example.com',
      RISKCLI_API_KEY: KEY,
      HTTPS_PROXY: 'http://127.0.0.1:9',
    };
    const { stdout, exitCode } = await cli([...argv, '--curl'], { env, platform: 'win32' });
    expect(exitCode).toBe(0);
    expect(stdout.replace(/(?:-H "[\w-]+: [^"]+" ?)+(?=--)/, 'HEADERS ')).toBe(line);
    expect(stdout).not.toContain(KEY);
  });
});
