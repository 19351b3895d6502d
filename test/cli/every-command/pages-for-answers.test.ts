/**
 * Answers that are no word of the service: pages for people, and refusals that are about the key
 * rather than the wallet.
 */
import { expect, it } from 'vitest';
import { cli, type Outcome } from '../../fixtures/cli/here.ts';
import { KEY, profileOf, WALLET } from '../../fixtures/service/client.ts';
import { type Reply, startServer } from '../../fixtures/service/server.ts';

const HTML = { 'content-type': 'text/html; charset=utf-8' };
const PAGE = '<!DOCTYPE html>\n<html><head><meta charset="utf-8"><title>Wi-Fi</title></head><body>x</body></html>';

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

const SAID = 'HOST answered with an HTML page, not JSON';

it.each([['profile', WALLET], ['health'], ['keys', 'check']])(
  'reports an HTML page instead of an answer: %s %s',
  async (...args) => {
    const { exitCode, stdout, stderr } = await facing({ headers: HTML, body: PAGE }, args);
    expect(exitCode).toBe(6);
    expect(stdout + stderr).toContain(SAID);
    expect(stdout + stderr).toContain('sign in');
  },
);

it('recognises an HTML page by its first bytes, whatever its content type', async () => {
  const bodies = [PAGE, `\ufeff \n<html lang=en><TITLE class="b">A</TITLE >`, '<!-- c --><title>A</title>', '<head>'];
  for (const body of bodies) {
    const { stderr, requests } = await facing({ body });
    expect({ stderr, requests }).toEqual({ stderr: expect.stringContaining(SAID), requests: 1 });
  }
  expect((await facing({ headers: HTML, body: 'Please log in' })).stderr).toContain(SAID);
  expect((await facing({ headers: HTML, body: JSON.stringify(profileOf(WALLET)) })).exitCode).toBe(0);
  expect((await facing({ body: '<xml/>' })).stderr).toContain('it is not JSON');
});

it('asks once where a network requires a login', async () => {
  const portal = await facing({ status: 511, headers: HTML, body: PAGE });
  expect(portal).toMatchObject({ exitCode: 6, requests: 1, stderr: expect.stringContaining(SAID) });
});

it.each([402, 403])('reports a %i for one wallet as about the key and its plan', async (status) => {
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
});
