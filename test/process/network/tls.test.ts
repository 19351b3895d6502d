/** Certificates that must not be trusted, and one that must once its authority is named. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemAuthorities } from '../../../src/service/http/failure.ts';
import { type Authority, type Certificate, createAuthority } from '../../fixtures/service/certificates.ts';
import { send } from '../../fixtures/service/send.ts';
import { startServer } from '../../fixtures/service/server.ts';
import { buildTransportProcesses, type TransportProcesses } from '../../fixtures/service/transport-process.ts';

let authority: Authority;
let certificates: Record<'good' | 'expired' | 'otherName' | 'selfSigned', Certificate>;
let processes: TransportProcesses;

beforeAll(async () => {
  authority = createAuthority();
  certificates = {
    good: authority.issue('IP:127.0.0.1'),
    expired: authority.issue('IP:127.0.0.1', -1),
    otherName: authority.issue('DNS:other.test'),
    selfSigned: createAuthority().own,
  };
  processes = await buildTransportProcesses();
});
afterAll(() => processes[Symbol.asyncDispose]());

describe('TLS', () => {
  it('[29] trusts a private authority that NODE_EXTRA_CA_CERTS names', async () => {
    await using server = await startServer(() => ({ body: {} }), { tls: certificates.good });
    expect(await processes.send(server.url, { NODE_EXTRA_CA_CERTS: authority.file })).toMatchObject({ status: 200 });
    expect(server.requests).toHaveLength(1);
  });

  it.each([
    ['selfSigned', /not signed by a known authority/],
    ['expired', /has expired/],
    ['otherName', /is for another name/],
  ] as const)('[29] refuses a certificate that is %s before the key is sent', async (which, message) => {
    await using server = await startServer(() => ({ body: {} }), { tls: certificates[which] });
    const env = { NODE_EXTRA_CA_CERTS: authority.file };
    for (const variables of [env, { ...env, NODE_TLS_REJECT_UNAUTHORIZED: '0' }]) {
      const sent = await processes.send(server.url, variables);
      expect(sent).toMatchObject({ exitCode: 6, code: 'tls', message: expect.stringMatching(message) });
    }
    expect(server.connections()).toBe(2);
    expect(server.requests).toEqual([]);
  });

  it('[29] names the variable and the bundle of the system to those whose authority is unknown', async () => {
    await using server = await startServer(() => ({ body: {} }), { tls: certificates.good });
    const { hint } = await send(server.url, {});
    expect(hint).toContain('NODE_EXTRA_CA_CERTS');
    expect(hint).toContain(`(${systemAuthorities()})`);
  });

  it('[29] says so when https meets a server that speaks http', async () => {
    await using server = await startServer(() => ({ body: {} }));
    const sent = await send(new URL(`https://${server.url.host}`), {});
    expect(sent).toMatchObject({ exitCode: 6, code: 'tls', message: expect.stringMatching(/does not speak TLS/) });
    expect(server.requests).toEqual([]);
  });

  it('[29] says so when http meets a server that speaks TLS', async () => {
    await using server = await startServer(() => ({ body: {} }), { tls: certificates.good });
    const sent = await send(new URL(`http://${server.url.host}`), {});
    expect(sent.exitCode).toBeGreaterThanOrEqual(5);
    expect(server.requests).toEqual([]);
  });
});
