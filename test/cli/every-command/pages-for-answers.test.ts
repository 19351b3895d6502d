/** Answers that are no word of the service: pages for people, and refusals that are about the key rather than the wallet. */
import { describe, expect, it } from 'vitest';
import { cli, type Outcome } from '../../fixtures/cli/here.ts';
import { addresses } from '../../fixtures/place/wallets.ts';
import { KEY, openClient, profileOf, WALLET } from '../../fixtures/service/client.ts';
import { type Reply, startServer } from '../../fixtures/service/server.ts';

const HTML = { 'content-type': 'text/html; charset=utf-8' };
const page = (title: string) =>
  `<!DOCTYPE html>\n<html><head><meta charset="utf-8"><title>${title}</title></head><body>x</body></html>`;

const healthy = () => ({ body: { status: 'ok', timestamp: new Date().toISOString() } });

/** What `riskcli profile WALLET`, or another command, makes of `reply`. */
async function facing(
  reply: Reply,
  args: readonly string[] = ['profile', WALLET],
): Promise<Outcome & { requests: number }> {
  await using server = await startServer(({ path }) => (path === '/health' && reply.status ? healthy() : reply));
  const env = { RISKCLI_API_KEY: KEY, RISKCLI_BASE_URL: server.url.origin };
  const outcome = await cli(args, { env });
  const text = (said: string) => said.replaceAll(server.url.host, 'HOST');
  return { ...outcome, stdout: text(outcome.stdout), stderr: text(outcome.stderr), requests: server.requests.length };
}

describe('[94] an HTML page instead of an answer', () => {
  const SAID = "HOST answered with an HTML page ('Corporate login'), not JSON";

  it.each([['profile', WALLET], ['health'], ['keys', 'check'], ['doctor', '--online']])(
    'is named with its title: %s %s',
    async (...args) => {
      const { exitCode, stdout, stderr } = await facing({ headers: HTML, body: page('Corporate login') }, args);
      expect(exitCode).toBe(6);
      expect(stdout + stderr).toContain(SAID);
      expect(stdout + stderr).toContain('sign in');
    },
  );

  it('is recognised by its first bytes, whatever its content type', async () => {
    const bodies = [
      page('A'),
      `\ufeff \n<html lang=en><TITLE class="b">A</TITLE >`,
      '<!-- c --><title>A</title>',
      '<head><title>A',
    ];
    for (const body of bodies) {
      const { stderr, requests } = await facing({ body });
      expect({ stderr, requests }).toEqual({
        stderr: expect.stringContaining("an HTML page ('A'), not JSON"),
        requests: 1,
      });
    }
    expect((await facing({ headers: HTML, body: 'Please log in' })).stderr).toContain(
      'answered with an HTML page, not JSON',
    );
    expect((await facing({ headers: HTML, body: JSON.stringify(profileOf(WALLET)) })).exitCode).toBe(0);
    expect((await facing({ body: '<xml/>' })).stderr).toContain('it is not JSON');
  });

  it.each([
    ['Caf&eacute; &amp; &lt;b&gt; &#8212; &#x2014;&#39;&nbsp;&quot;', `Caf&eacute; & <b> \u2014 \u2014' "`],
    ['  two\n   lines ', 'two lines'],
    ['&#27;[2J&#0;&#xD800;&#99999999;\u202e', '\\u001b[2J&#0;&#xD800;&#99999999;\\u202e'],
    ['x'.repeat(200), `${'x'.repeat(77)}...`],
    [`key ${KEY.slice(-8)} ${KEY.slice(0, 12)}`, 'key <withheld> <withheld>'],
    ['4c0883a69102937d6231471b5dbb6204fe512961708279feb1be6ae5538da033', '<withheld: may be a private key>'],
  ])('has a title that is hostile text: %j', async (title, said) => {
    const { stderr } = await facing({ headers: HTML, body: page(title) });
    expect(stderr).toContain(`an HTML page ('${said}'), not JSON`);
  });

  it('of an error is reported with its status', async () => {
    await using server = await startServer(() => ({ status: 503, headers: HTML, body: page('Bad gateway') }));
    await using bench = openClient(server.url);
    const error = await bench.client.profile(WALLET).catch((thrown) => thrown);
    expect(error).toMatchObject({
      exitCode: 5,
      message: `${server.url.host} failed (503: an HTML page, 'Bad gateway') after 4 attempts`,
    });
    const portal = await facing({ status: 511, headers: HTML, body: page('Wi-Fi') });
    expect(portal).toMatchObject({ exitCode: 6, requests: 1, stderr: expect.stringContaining("HTML page ('Wi-Fi')") });
  });

  it('fails rows of a list, which continues', async () => {
    const wallets = addresses(3);
    await using server = await startServer(({ path }) =>
      path.endsWith(wallets[1] ?? '') ? { headers: HTML, body: page('Wi-Fi') } : { body: profileOf(path) },
    );
    const env = { RISKCLI_API_KEY: KEY, RISKCLI_BASE_URL: server.url.origin };
    const { exitCode, stdout } = await cli(['profile', ...wallets, '--csv'], { env });
    expect(exitCode).toBe(6);
    expect(stdout).toContain("answered with an HTML page ('Wi-Fi'), not JSON");
    expect(server.requests).toHaveLength(3);
  });
});

describe('[95] 402 and 403', () => {
  it.each([402, 403])('for one wallet are about the key and its plan: %i', async (status) => {
    const reply = { status, body: { error: 'not in your plan' } };
    for (const args of [
      ['profile', WALLET],
      ['keys', 'check'],
    ]) {
      const { exitCode, stdout, stderr, requests } = await facing(reply, args);
      expect({ args, exitCode, stdout, requests }).toEqual({ args, exitCode: 4, stdout: '', requests: 1 });
      expect(stderr).toBe(
        `riskcli: HOST refused the request (${status}: 'not in your plan'); check what the key and its plan allow\n`,
      );
    }
    expect(await facing(reply, ['doctor', '--online'])).toMatchObject({ exitCode: 4 });
  });

  it.each([402, 403])('for a few wallets of a list are rows: %i', async (status) => {
    const { exitCode, stdout } = await facing({ status, body: {} }, ['profile', ...addresses(2), '--csv']);
    expect({ exitCode, refused: stdout.match(/refused the request/g)?.length }).toEqual({ exitCode: 3, refused: 2 });
  });
});
